/**
 * A process to kill: serves the durable machine, with functions whose effects are files named by idempotency key. Who
 * answers task tokens is another process, as it would be on AWS: what this one had promised would fall with it.
 * Arguments: the directory. Prints its port when it listens.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStepFunctions } from '../../stepfunctions/server.ts';
import { durableFunctions, durableMachine } from './durable-machine.ts';
import { machineArn, REGION } from './harness.ts';
import { CREDENTIALS } from './signed-request.ts';

const [, , dir = ''] = process.argv;
const effects = join(dir, 'effects');
mkdirSync(effects, { recursive: true });

const server = await startStepFunctions({
  dir: join(dir, 'state'),
  port: 0,
  region: REGION,
  credentials: CREDENTIALS,
  stateMachines: [{ name: 'm', arn: machineArn('m'), definition: durableMachine }],
  async invoke(arn, payload, { idempotencyKey }) {
    const name = arn.slice(arn.lastIndexOf(':') + 1);
    const effect = join(effects, createHash('sha256').update(idempotencyKey).digest('hex'));
    if (!existsSync(effect)) {
      // Whole or not at all, wherever the kill falls.
      const unfinished = join(dir, 'unfinished-effect');
      writeFileSync(unfinished, JSON.stringify({ idempotencyKey, name, payload }));
      renameSync(unfinished, effect);
    }
    // Time for the parent to kill in the middle of a task.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return durableFunctions[name]!(payload, idempotencyKey, async () => {});
  },
});
process.stdout.write(`${server.port}\n`);
