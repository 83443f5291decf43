/** The state machines of this environment. */
import { SFNClient } from '@aws-sdk/client-sfn';
import { patience } from '../../shared/aws-services.ts';
import { Executions } from '../state-machines/executions.ts';
import { environment } from './environment.ts';
import { traceHeader } from './trace.ts';

/** How long an answer may take, ms: three of them fit into the half minute that a request has. */
const ANSWER_MS = 8000;

/** Made when it is first used: most requests of a resource start nothing. */
let client: SFNClient | undefined;

/** Executions of a machine by the name of its definition: `DeleteAsset` for `delete-asset.asl.json`. */
export function executionsOf(machine: string): Executions {
  client ??= new SFNClient({ requestHandler: patience(ANSWER_MS) });
  return new Executions(client, environment.machineArn(machine), traceHeader);
}
