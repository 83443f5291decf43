/** Brandings with their variants, and subtitle styles. */
import * as contract from '../../../contract/resources/brandings.ts';
import { configurationResource } from '../../../platform/kernel/crud.ts';

export const handler = configurationResource(contract, {
  brandings: {
    afterDelete: (id, _, { configuration }) =>
      configuration.deleteAll({
        type: 'branding_variants',
        kind: 'branding variant',
        parent: { type: 'brandings', kind: 'branding', id },
      }),
  },
});
