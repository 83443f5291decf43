/** External storages of all tenants, as operators see them: without secrets, and with names and destinations masked. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { Nullable, pages, Strict, Timestamp, Uuid } from '../kit/schemas.ts';
import { type StorageType, storageTypes } from '../kit/storage-types.ts';

const Masked = (description: string) =>
  Nullable(
    Type.Record(Type.String(), Type.String(), { description: `${description}; only its ends are shown` }),
  );

export const AdminExternalStorage = Strict(
  {
    external_storage_id: Uuid('External storage'),
    tenant: Type.String({ description: 'Tenant that owns the storage' }),
    name: Type.String({ description: 'Name; only its ends are shown' }),
    type: Type.Enum(Object.keys(storageTypes) as StorageType[]),
    destination: Masked('Where exports go'),
    authentication_fields: Type.Array(Type.String(), { description: 'Which credentials are set' }),
    created_at: Timestamp('When the storage was created'),
    updated_at: Timestamp('When the storage changed last'),
  },
  { $id: 'AdminExternalStorage' },
);

const example = {
  external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
  tenant: 'demo',
  name: 'Ar…ve',
  type: 'aws_s3',
  destination: { bucket_name: 'ex…ve', region: 'eu…-1' },
  authentication_fields: ['iam_role_arn'],
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

export const listAdminExternalStorages = operation({
  route: 'GET /v1/admin/external_storages',
  summary: 'List the external storages of all tenants, newest first',
  description:
    'For operators. Secrets are left out; names and destinations show only their first and last characters. Each call is written to the audit log.',
  scope: 'admin:storages:read',
  ...pages('One page of storages', AdminExternalStorage, 'AdminExternalStoragePage'),
});

export const getAdminExternalStorage = operation({
  route: 'GET /v1/admin/external_storages/{external_storage_id}',
  summary: 'Get an external storage of any tenant',
  description:
    'For operators. Secrets are left out; names and destinations show only their first and last characters. Each call is written to the audit log.',
  scope: 'admin:storages:read',
  responses: { 200: { description: 'The storage', body: AdminExternalStorage, example } },
});
