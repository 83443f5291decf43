/** The one place that reads the environment of a Lambda. */

export interface Environment {
  readonly name: string;
  readonly engines: 'aws' | 'local';
  readonly siteUrl: string;
  /** Origin of the API, without `/v1`; of its own functions alone. */
  readonly apiUrl: string;
  readonly coreTable: string;
  readonly authTable: string;
  readonly ephemeralTable: string;
  readonly mediaBucket: string;
  readonly ingestMachine: string;
  readonly deleteAssetMachine: string;
  readonly emptyCollectionMachine: string;
  readonly brandingUploadMachine: string;
  readonly deliverEventMachine: string;
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly sherpaModels: string | undefined;
  readonly pocketsphinx: string | undefined;
  /** Set by the local cloud: S3 then answers under one host, bucket names in the path. */
  readonly localS3: boolean;
  /** Set by the local cloud: what tenants' secrets are encrypted under. */
  readonly localSecretKey: string | undefined;
  /** ARN of the KMS key of secrets. */
  readonly secretsKey: string;
  readonly debug: boolean;
}

const value = (name: string) => process.env[name] ?? '';

export const environment: Environment = {
  name: value('ENVIRONMENT'),
  engines: value('ENGINES') === 'local' ? 'local' : 'aws',
  siteUrl: value('SITE_URL'),
  apiUrl: value('API_URL'),
  coreTable: value('CORE_TABLE'),
  authTable: value('AUTH_TABLE'),
  ephemeralTable: value('EPHEMERAL_TABLE'),
  mediaBucket: value('MEDIA_BUCKET'),
  ingestMachine: value('INGEST_MACHINE_ARN'),
  deleteAssetMachine: value('DELETE_ASSET_MACHINE_ARN'),
  emptyCollectionMachine: value('EMPTY_COLLECTION_MACHINE_ARN'),
  brandingUploadMachine: value('BRANDING_UPLOAD_MACHINE_ARN'),
  deliverEventMachine: value('DELIVER_EVENT_MACHINE_ARN'),
  ffmpeg: process.env.FFMPEG_PATH ?? 'ffmpeg',
  ffprobe: process.env.FFPROBE_PATH ?? 'ffprobe',
  sherpaModels: process.env.SHERPA_MODEL_DIR,
  pocketsphinx: process.env.POCKETSPHINX_PATH,
  localS3: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  localSecretKey: process.env.LOCAL_SECRET_KEY,
  secretsKey: value('SECRETS_KEY_ARN'),
  debug: value('LOG_LEVEL') === 'debug',
};
