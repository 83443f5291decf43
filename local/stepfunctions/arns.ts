/** ARNs of executions, functions and roles. Service authorization reference, "Resource types defined by AWS Step Functions". */

/** Returns the ARN of an execution. The ARN of its machine is `arn:aws:states:<region>:<account>:stateMachine:<name>`. */
export function executionArn(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

/** Returns the ARN of a child execution of a distributed Map. It contains the label of the Map after the name of the machine. */
export function childExecutionArn(machineArn: string, label: string, name: string): string {
  return executionArn(`${machineArn}/${label}`, name);
}

/** Returns the ARN of a function. FunctionName may be an ARN, or a name with or without a qualifier. */
export function functionArn(functionName: string, machineArn: string): string {
  if (functionName.startsWith('arn:')) return functionName;
  const [, partition, , region, account] = machineArn.split(':');
  return `arn:${partition}:lambda:${region}:${account}:function:${functionName}`;
}

/** Returns an invented ARN for the field of a role that the API requires. */
export function roleArn(machineArn: string): string {
  const [, partition, , , account] = machineArn.split(':');
  return `arn:${partition}:iam::${account}:role/local-step-functions`;
}
