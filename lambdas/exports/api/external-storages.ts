import * as contract from '../../../build/contract/external-storages.js';
import { configurationResource } from '../../../platform/kernel/crud.ts';
import { requireReachable } from '../../../platform/kernel/reachable.ts';
import { exportAccount } from '../../../platform/runtime/export-account.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import { adminWrites } from '../records/admin-storages.ts';
import { awsAccessOf } from '../rules/aws-access.ts';
import { missingOf, requireFittingStorage, requireNoStrayCredentials } from '../rules/external-storages.ts';

export const handler = configurationResource(contract, {
  external_storages: {
    check: (storage, given, before) => {
      requireFittingStorage(storage, given);
      requireNoStrayCredentials(given, before);
      const { blob_url } = (given.destination ?? {}) as { blob_url?: string };
      requireReachable(blob_url, '/destination/blob_url');
      const { credentials } = (given.authentication_data ?? {}) as { credentials?: { token_uri?: string } };
      requireReachable(credentials?.token_uri, '/authentication_data/credentials/token_uri');
    },
    stored: async ({ authentication_data, ...rest }, tenant, resource) => {
      if (authentication_data === undefined) return rest;
      if (authentication_data === null) return { ...rest, authentication: null, authentication_fields: [] };
      const authentication = await tenantSecrets().seal(authentication_data, { tenant, resource });
      return { ...rest, authentication, authentication_fields: Object.keys(authentication_data) };
    },
    shown: (storage, tenant) => ({
      missing: missingOf(storage),
      aws_access: awsAccessOf(storage, tenant, exportAccount()),
    }),
    alongside: adminWrites,
  },
});
