/** The state machines of this environment. */
import { SFNClient } from '@aws-sdk/client-sfn';
import { patience } from '../../shared/aws-services.ts';
import { Executions } from '../state-machines/executions.ts';
import { environment } from './environment.ts';
import { traceHeader } from './log.ts';

/** Time-out of a response, ms. Three attempts fit into the 30 s of a request. */
const ANSWER_MS = 8000;

/** Created when the first execution starts, because most requests of a resource start none. */
let client: SFNClient | undefined;

/** Executions of a machine by the name of its definition: `DeleteAsset` for `delete-asset.asl.json`. */
export function executionsOf(machine: string): Executions {
  client ??= new SFNClient({ requestHandler: patience(ANSWER_MS) });
  return new Executions(client, environment.machineArn(machine), traceHeader);
}
