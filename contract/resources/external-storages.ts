/** External storages: targets of exports. Their credentials are never shown. */
import Type, { type TSchema } from 'typebox';
import { Name } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { forms } from '../kit/forms.ts';
import { Nullable, Strict } from '../kit/schemas.ts';
import { type StorageMembers, type StorageType, storageTypes } from '../kit/storage-types.ts';

const types = Object.keys(storageTypes) as StorageType[];

const places: Readonly<Record<string, TSchema>> = {
  bucket_name: Type.String({
    minLength: 3,
    maxLength: 222,
    pattern: forms.bucket.pattern,
    description: 'Bucket (aws_s3, gcp_storage)',
  }),
  region: Type.String({
    pattern: forms.region.pattern,
    description: 'Region of the bucket (aws_s3)',
  }),
  blob_url: Type.String({
    maxLength: 1024,
    pattern: forms.blobUrl.pattern,
    description: 'URL of the container, without its token (azure)',
  }),
};

const Secret = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const secrets: Readonly<Record<string, TSchema>> = {
  iam_role_arn: Type.String({
    maxLength: 2048,
    pattern: forms.roleArn.pattern,
    description: 'Role that Kinora assumes to write (aws_s3)',
  }),
  sas_token: Type.String({
    minLength: 1,
    maxLength: 4096,
    pattern: forms.sasToken.pattern,
    description: 'Shared access signature (azure)',
  }),
  credentials: Type.Object(
    { client_email: Secret(320), private_key: Secret(8192) },
    {
      additionalProperties: Secret(8192),
      maxProperties: 32,
      description: 'Service account key as Google issues it, a JSON document (gcp_storage)',
    },
  ),
};

const optional = (members: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]));

const exactly = (names: readonly string[]) => ({
  required: [...names],
  properties: Object.fromEntries(names.map((name) => [name, true])),
  additionalProperties: false,
});

const ruleOf = (type: StorageType) => {
  const { destination, authentication_data }: StorageMembers = storageTypes[type];
  return {
    if: { required: ['type'], properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: {
        destination: exactly(destination),
        authentication_data: exactly(authentication_data),
      },
    },
  };
};

const Policy = (description: string) =>
  Strict(
    {
      Version: Type.String(),
      Statement: Type.Array(Type.Object({}, { additionalProperties: true })),
    },
    { description },
  );

const AwsAccess = Strict(
  {
    external_id: Type.String({ description: 'Generated external id of this storage. It is not a secret' }),
    trust_policy: Policy('Trust policy: copy it to the role of iam_role_arn'),
    permission_policy: Policy('Permission policy: copy it to the role as well'),
  },
  {
    $id: 'AwsAccess',
    description:
      'For aws_s3 with a destination: the policies of its role, ready to copy; null for the other types',
  },
);

export const {
  createExternalStorage,
  listExternalStorages,
  getExternalStorage,
  updateExternalStorage,
  deleteExternalStorage,
} = crud({
  kind: 'external storage',
  scope: 'storages',
  description:
    '`destination` and `authentication_data` depend on `type`: aws_s3 takes bucket_name, region and ' +
    'iam_role_arn; azure blob_url and sas_token; gcp_storage bucket_name and credentials; dummy nothing. ' +
    'If you change `destination`, send `authentication_data` again: credentials are only sent to the destination that they were given for.',
  fields: {
    name: Name,
    type: Type.Enum(types, { description: 'dummy accepts exports and discards them' }),
    destination: Type.Optional(
      Strict(optional(places), { $id: 'StorageDestination', description: 'Depends on type' }),
    ),
    export_path: Type.Optional(
      Type.String({
        maxLength: 512,
        pattern: forms.exportPath.pattern,
        description:
          'Path template with the variables {asset_id}, {asset_external_id}, {video_clip_id}, {language}, {format}. Parts that are missing to make the path unique are appended, and the file extension of the format. If absent: kinora/{asset_id}/',
      }),
    ),
    authentication_data: Type.Optional(
      Strict(optional(secrets), {
        $id: 'StorageAuthentication',
        description: 'Depends on type. Stored encrypted and never shown; null removes it',
        writeOnly: true,
      }),
    ),
  },
  writeOnly: ['authentication_data'],
  facts: {
    authentication_fields: [
      Type.Array(Type.String(), { description: 'Members of authentication_data that are set' }),
      [],
    ],
    missing: [
      Type.Array(Type.Enum(['destination', 'authentication_data']), {
        description: 'Members that the type requires and that are not set; exports need them',
      }),
      [],
    ],
    aws_access: [Nullable(AwsAccess), null],
  },
  rules: { allOf: types.map(ruleOf) },
  example: {
    name: 'Archive',
    type: 'aws_s3',
    destination: { bucket_name: 'example-archive', region: 'eu-central-1' },
    export_path: 'kinora/{asset_id}/{video_clip_id}',
    authentication_data: { iam_role_arn: 'arn:aws:iam::123456789012:role/kinora-export' },
  },
  factsExample: {
    authentication_fields: ['iam_role_arn'],
    aws_access: {
      external_id: 'kinora:demo:019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
      trust_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: 'arn:aws:iam::210987654321:root' },
            Action: 'sts:AssumeRole',
            Condition: {
              StringEquals: { 'sts:ExternalId': 'kinora:demo:019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
            },
          },
        ],
      },
      permission_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
            Resource: 'arn:aws:s3:::example-archive/kinora/*',
          },
          {
            Effect: 'Allow',
            Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
            Resource: '*',
            Condition: { StringEquals: { 'kms:ViaService': 's3.eu-central-1.amazonaws.com' } },
          },
        ],
      },
    },
  },
});
