/** Members of each type of external storage: its destination and its credentials. Plain data, for schemas and handlers. */
export interface StorageMembers {
  readonly destination: readonly string[];
  readonly authentication_data: readonly string[];
}

/** `destination` and `authentication`, if present, must have exactly these members. */
export const storageTypes = {
  aws_s3: { destination: ['bucket_name', 'region'], authentication_data: ['iam_role_arn'] },
  azure: { destination: ['blob_url'], authentication_data: ['sas_token'] },
  gcp_storage: { destination: ['bucket_name'], authentication_data: ['credentials'] },
  dummy: { destination: [], authentication_data: [] },
} as const satisfies Record<string, StorageMembers>;

export type StorageType = keyof typeof storageTypes;

/** Formats of exports, with the file extension of each. `json` is a transcription. */
export const exportFormats = {
  vtt: { ending: 'vtt', content_type: 'text/vtt; charset=utf-8' },
  srt: { ending: 'srt', content_type: 'application/x-subrip; charset=utf-8' },
  stl: { ending: 'stl', content_type: 'application/x-ebu-stl' },
  json: { ending: 'json', content_type: 'application/json' },
  metadata: { ending: 'metadata.json', content_type: 'application/json' },
  clip: { ending: 'mp4', content_type: 'video/mp4' },
} as const satisfies Record<string, { readonly ending: string; readonly content_type: string }>;

export type ExportFormat = keyof typeof exportFormats;

/** The variables that `export_path`, the path of an export, may contain. */
export const exportVariables = [
  'asset_id',
  'asset_external_id',
  'video_clip_id',
  'language',
  'format',
] as const;

export type ExportVariable = (typeof exportVariables)[number];
