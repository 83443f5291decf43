/** Replaces Step Functions: records the started executions, and runs nothing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../toolchain/bundle/paths.ts';
import { listening } from './listening.ts';

export interface StateMachines {
  /** All calls so far: `StartExecution {"stateMachineArn":…}`. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/** Configures this process for it. Import handlers only after this call. */
export async function startStateMachines(): Promise<StateMachines> {
  const calls: string[] = [];
  const { url, close } = await listening(async (request, response) => {
    const action = String(request.headers['x-amz-target']).replace('AWSStepFunctions.', '');
    calls.push(`${action} ${await text(request)}`);
    const known = answers[action];
    response.writeHead(known === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(known ?? { __type: 'UnknownOperationException' }));
  });
  process.env.AWS_ENDPOINT_URL_SFN = url;
  for (const name of machines) {
    process.env[`${name}_MACHINE_ARN`] = `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
  }
  return { calls, close };
}

/** Named as in the environment variables of functions: `VOICE_OVER`. */
const machines = readdirSync(join(root, 'state-machines')).map((file) =>
  file.replace('.asl.json', '').replaceAll('-', '_').toUpperCase(),
);

const answers: Readonly<Record<string, object>> = {
  StartExecution: {
    executionArn: 'arn:aws:states:us-east-1:000000000000:execution:any:1',
    startDate: 1_795_253_400,
  },
  DescribeExecution: {
    executionArn: 'arn:aws:states:us-east-1:000000000000:execution:any:1',
    stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:any',
    status: 'TIMED_OUT',
    startDate: 1_795_253_400,
  },
  StopExecution: { stopDate: 1_795_253_400 },
};
