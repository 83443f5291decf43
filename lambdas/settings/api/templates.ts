import * as contract from '../../../build/contract/templates.js';
import { configurationResource } from '../../../platform/kernel/crud.ts';
import { deletedTemplateKey } from '../records/template-options.ts';

export const handler = configurationResource(contract, {
  templates: {
    // Assets keep the template that they were created with, so their later jobs need it.
    alongside: (before, after, tenant) =>
      before !== null && after === null
        ? [{ put: { ...before, ...deletedTemplateKey(tenant, before.id) } }]
        : [],
  },
});
