/** The state machines of this environment. */
import { SFNClient } from '@aws-sdk/client-sfn';
import { Executions } from '../data/executions.ts';
import { environment } from './environment.ts';

const client = new SFNClient({});

export const ingestExecutions = () => new Executions(client, environment.ingestMachine);
export const deleteAssetExecutions = () => new Executions(client, environment.deleteAssetMachine);
export const emptyCollectionExecutions = () => new Executions(client, environment.emptyCollectionMachine);
export const brandingUploadExecutions = () => new Executions(client, environment.brandingUploadMachine);
