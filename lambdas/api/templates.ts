/** Templates. */
import * as contract from '../../contract/templates.ts';
import { configurationResource } from './crud.ts';

export const handler = configurationResource(contract);
