/** External storages. Credentials are encrypted before they are stored, and never leave again. */
import * as contract from '../../contract/external-storages.ts';
import { adminWrites } from '../data/admin-storages.ts';
import { requireFittingStorage } from '../domain/external-storages.ts';
import { tenantSecrets } from '../runtime/secrets.ts';
import { configurationResource } from './crud.ts';

export const handler = configurationResource(contract, {
  external_storages: {
    check: requireFittingStorage,
    stored: async ({ authentication_data, ...rest }, tenant, resource) => {
      if (authentication_data === undefined) return rest;
      if (authentication_data === null) return { ...rest, authentication: null, authentication_fields: [] };
      const authentication = await tenantSecrets().seal(authentication_data, { tenant, resource });
      return { ...rest, authentication, authentication_fields: Object.keys(authentication_data) };
    },
    alongside: adminWrites,
  },
});
