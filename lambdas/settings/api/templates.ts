/** Templates. */
import * as contract from '../../../contract/resources/templates.ts';
import { configurationResource } from '../../../platform/kernel/crud.ts';

export const handler = configurationResource(contract);
