import * as contract from '../../../build/contract/templates.js';
import { configurationResource } from '../../../platform/kernel/crud.ts';

export const handler = configurationResource(contract);
