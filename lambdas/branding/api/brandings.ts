/** Brandings with their variants, and subtitle styles. */
import * as contract from '../../../contract/resources/brandings.ts';
import { configurationResource } from '../../../platform/kernel/crud.ts';

export const handler = configurationResource(contract);
