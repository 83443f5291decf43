/** The state machines of this environment. */
import { SFNClient } from '@aws-sdk/client-sfn';
import { Executions } from '../store/executions.ts';
import { environment } from './environment.ts';

/** Made when it is first used: most requests of a resource start nothing. */
let client: SFNClient | undefined;

const executions = (machine: string) => {
  client ??= new SFNClient({});
  return new Executions(client, machine);
};

export const ingestExecutions = () => executions(environment.ingestMachine);
export const deleteAssetExecutions = () => executions(environment.deleteAssetMachine);
export const emptyCollectionExecutions = () => executions(environment.emptyCollectionMachine);
export const brandingUploadExecutions = () => executions(environment.brandingUploadMachine);
export const deliverEventExecutions = () => executions(environment.deliverEventMachine);
