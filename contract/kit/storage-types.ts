/** What each type of external storage is told: where to write, and as whom. Plain data, for schemas and handlers. */

export interface StorageMembers {
  readonly destination: readonly string[];
  readonly authentication_data: readonly string[];
}

/** Where one of the two objects is given, it holds all of these members and no others. */
export const storageTypes = {
  aws_s3: { destination: ['bucket_name', 'region'], authentication_data: ['iam_role_arn'] },
  azure: { destination: ['blob_url'], authentication_data: ['sas_token'] },
  gcp_storage: { destination: ['bucket_name'], authentication_data: ['credentials'] },
  dummy: { destination: [], authentication_data: [] },
} as const satisfies Record<string, StorageMembers>;

export type StorageType = keyof typeof storageTypes;
