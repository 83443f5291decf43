/** Names of executions, functions and roles. Service authorization reference, "Resource types defined by AWS Step Functions". */

/** The ARN of an execution, from the ARN of its machine (`arn:aws:states:<region>:<account>:stateMachine:<name>`) and its name. */
export function executionArn(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

/** The child executions of a distributed Map: the machine's name carries the Map's label. */
export function childExecutionArn(machineArn: string, label: string, name: string): string {
  return executionArn(`${machineArn}/${label}`, name);
}

/** The ARN of a function. FunctionName may be a name, with or without qualifier, or an ARN. */
export function functionArn(functionName: string, machineArn: string): string {
  if (functionName.startsWith('arn:')) return functionName;
  const [, partition, , region, account] = machineArn.split(':');
  return `arn:${partition}:lambda:${region}:${account}:function:${functionName}`;
}

/** A made-up role ARN, because the API has a field for it. */
export function roleArn(machineArn: string): string {
  const [, partition, , , account] = machineArn.split(':');
  return `arn:${partition}:iam::${account}:role/local-step-functions`;
}
