/** The AWS account that tenants' roles must trust. This module does not load the engine that writes to external storages. */
import { declarations } from '../../build/engines/declarations.js';
import { settingsFor } from '../../engines/selection.ts';
import { defined, itemAt } from '../../shared/checked-access.ts';
import { settings } from './environment.ts';

export const exportAccount = (): string =>
  defined(settingsFor(itemAt(declarations.exporting, 0), settings()).EXPORT_ACCOUNT);
