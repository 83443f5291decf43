/** The state machines of this environment. */
import { SFNClient } from '@aws-sdk/client-sfn';
import { Executions } from '../store/executions.ts';
import { environment } from './environment.ts';
import { traceHeader } from './trace.ts';

/** Made when it is first used: most requests of a resource start nothing. */
let client: SFNClient | undefined;

/** Executions of a machine by the name of its definition: `DeleteAsset` for `delete-asset.asl.json`. */
export function executionsOf(machine: string): Executions {
  client ??= new SFNClient({});
  return new Executions(client, environment.machineArn(machine), traceHeader);
}
