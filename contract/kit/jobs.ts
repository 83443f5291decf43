/** The schemas of jobs: all have the same members, and each kind its own subject, items and result. */
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { ingestItemKinds, type JobType } from './job-kinds.ts';
import type { Frozen } from './operation.ts';
import { AssetUuid, JobErrorBody, JobStatus, JobUuid, Nullable, Strict, Timestamp, Uuid } from './schemas.ts';
import { type ExportFormat, exportFormats } from './storage-types.ts';
import { Receipt } from './usage-metrics.ts';

const Progress = Type.Number({ minimum: 0, maximum: 1, description: '0 to 1; never falls' });

const asset = { asset_id: AssetUuid('Asset that the job works on') };
const language = { language_id: Uuid('Language that this item is for') };

/** One of the things that a job does side by side; each ends by itself. */
const itemOf = <Subject extends TProperties, Result extends TSchema>(subject: Subject, result: Result) =>
  Strict({
    ...subject,
    status: JobStatus,
    progress: Progress,
    error: Nullable(JobErrorBody),
    result: Nullable(result),
  });

interface Kind<
  Name extends JobType,
  Subject extends TProperties,
  Item extends TSchema,
  Result extends TSchema,
> {
  readonly $id: string;
  readonly type: Name;
  readonly subject: Subject;
  /** Null where the kind has no items. */
  readonly item: Item;
  readonly result: Result;
}

const jobOf = <
  Name extends JobType,
  Subject extends TProperties,
  Item extends TSchema,
  Result extends TSchema,
>({
  $id,
  type,
  subject,
  item,
  result,
}: Kind<Name, Subject, Item, Result>) =>
  Strict(
    {
      job_id: JobUuid(),
      type: Type.Enum([type]),
      ...subject,
      status: JobStatus,
      progress: Progress,
      queue: Type.Optional(
        Strict(
          {
            position: Type.Integer({
              minimum: 1,
              description: 'Its place in line, from 1; it may fall and rise',
            }),
          },
          {
            description:
              'Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet',
          },
        ),
      ),
      receipt: Type.Optional(Receipt),
      items: Type.Array(item, { description: 'What the job does side by side; empty where it is one thing' }),
      result: Nullable(result),
      error: Nullable(JobErrorBody),
      created_at: Timestamp('When the job was created'),
      started_at: Nullable(Timestamp('When work began')),
      estimated_ready_at: Nullable(
        Timestamp('When it is expected to end, by how fast the work went lately; null while nobody can know'),
      ),
      finished_at: Nullable(Timestamp('When work ended')),
    },
    { $id },
  );

const noItems = itemOf({}, Strict({}));

const TranscriptionIds = Strict({
  transcription_ids: Type.Array(Uuid('Transcription'), { description: 'What was made' }),
});

export const IngestJob = jobOf({
  $id: 'IngestJob',
  type: 'ingest',
  subject: asset,
  item: itemOf(
    {
      kind: Type.Enum([...ingestItemKinds], {
        description: 'What the item is: the transcription, and what the template of the asset asks for',
      }),
      language_id: Type.Optional(Uuid('Language of a translation or voice over')),
    },
    Strict({
      transcription_id: Type.Optional(Uuid('Transcription that was made')),
      audio_track_id: Type.Optional(Uuid('Audio track that was made')),
    }),
  ),
  result: TranscriptionIds,
});

export const TranslationJob = jobOf({
  $id: 'TranslationJob',
  type: 'translation',
  subject: asset,
  item: itemOf(language, Strict({ transcription_id: Uuid('Translation that was made') })),
  result: TranscriptionIds,
});

export const VoiceOverJob = jobOf({
  $id: 'VoiceOverJob',
  type: 'voice_over',
  subject: asset,
  item: itemOf(
    language,
    Strict({
      audio_track_id: Uuid('Audio track that was made'),
      synthesised: Type.Integer({ minimum: 0, description: 'Segments that were spoken by this job' }),
      kept: Type.Integer({
        minimum: 0,
        description: 'Segments that are as they were, whose speech an earlier job had made',
      }),
    }),
  ),
  result: Strict({ audio_track_ids: Type.Array(Uuid('Audio track')) }),
});

export const PartialRetranslationJob = jobOf({
  $id: 'PartialRetranslationJob',
  type: 'partial_retranslation',
  subject: asset,
  item: itemOf(
    language,
    Strict({
      transcription_id: Uuid('Translation that was changed'),
      version: Type.Integer({ minimum: 1, description: 'Its version with the new segments' }),
    }),
  ),
  result: TranscriptionIds,
});

export const ClipsJob = jobOf({
  $id: 'ClipsJob',
  type: 'clips',
  subject: asset,
  item: itemOf(
    { video_clip_id: Uuid('Clip that this item is for') },
    Strict({
      url: Type.String({ format: 'uri', description: 'GET the clip here' }),
      expires_at: Timestamp('When the address stops working'),
      rendered: Type.Integer({
        minimum: 0,
        description: 'Chunks of the clip that were rendered for this job',
      }),
      reused: Type.Integer({
        minimum: 0,
        description: 'Chunks that are as they were, which an earlier job had rendered',
      }),
    }),
  ),
  result: Strict({ video_clip_ids: Type.Array(Uuid('Clip that is ready')) }),
});

export const ExportJob = jobOf({
  $id: 'ExportJob',
  type: 'export',
  subject: {
    ...asset,
    video_clip_id: Type.Optional(Uuid('Clip that is exported')),
    transcription_id: Type.Optional(Uuid('Transcription that is exported')),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Its version, that of the moment of the request' }),
    ),
    metadata_id: Type.Optional(Uuid('Metadata that are exported')),
    format: Type.Optional(Type.Enum(Object.keys(exportFormats) as ExportFormat[])),
    external_storage_id: Type.Optional(Uuid('Storage that is written to')),
    path: Type.Optional(Type.String({ description: 'Where in the storage: the key of the object' })),
  },
  item: noItems,
  result: Strict({
    external_storage_id: Uuid('Storage that was written to'),
    path: Type.String({ description: 'Where in the storage: the key of the object' }),
    location: Nullable(
      Type.String({
        format: 'uri',
        description:
          "Where it can be seen by whoever may: `s3://`, `gs://`, or the blob's `https://`, without credentials; null for dummy, which wrote nothing anywhere",
      }),
    ),
    size_bytes: Type.Integer({
      minimum: 0,
      description: 'What was written, bytes; for dummy what would have been',
    }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, hexadecimal' }),
    confirmed: Nullable(
      Strict(
        {
          algorithm: Type.Enum(['SHA256', 'CRC32', 'MD5']),
          of: Type.Enum(['file', 'parts'], {
            description: 'Whether the storage compared the whole, or each part as it came',
          }),
          value: Nullable(Type.String({ description: 'Its checksum of the whole, base64' })),
        },
        { description: 'What the storage itself compared with what it received; null for dummy' },
      ),
    ),
  }),
});

const FileFacts = Strict({
  media_type: Type.Enum(['image', 'video']),
  size_bytes: Type.Integer({ minimum: 0 }),
  width: Type.Integer({ description: 'Width as displayed, pixels' }),
  height: Type.Integer({ description: 'Height as displayed, pixels' }),
  duration_ms: Nullable(Type.Integer({ description: 'Duration of a video, milliseconds' })),
});

export const BrandingOverlayUploadJob = jobOf({
  $id: 'BrandingOverlayUploadJob',
  type: 'branding_upload',
  subject: { overlay_id: Uuid('The branding overlay') },
  item: noItems,
  result: FileFacts,
});

export const BrandingClipUploadJob = jobOf({
  $id: 'BrandingClipUploadJob',
  type: 'branding_upload',
  subject: { clip_id: Uuid('The branding clip') },
  item: noItems,
  result: FileFacts,
});

const Platform = Type.Enum(['youtube', 'instagram', 'tiktok', 'linkedin', 'x', 'facebook']);

export const PublishJob = jobOf({
  $id: 'PublishJob',
  type: 'publish',
  subject: {
    ...asset,
    video_clip_id: Uuid('Clip'),
    platform: Platform,
    caption: Nullable(Type.String()),
    schedule_at: Nullable(Timestamp('When it is to be published')),
  },
  item: noItems,
  result: Strict({ url: Type.String({ format: 'uri', description: 'Where the platform shows it' }) }),
});

/** A job of any kind; `type` tells which. */
export const AnyJob = Type.Union(
  [
    IngestJob,
    TranslationJob,
    VoiceOverJob,
    PartialRetranslationJob,
    ClipsJob,
    ExportJob,
    BrandingOverlayUploadJob,
    BrandingClipUploadJob,
    PublishJob,
  ],
  { $id: 'Job', description: 'A job of any kind; `type` tells which' },
);

/** A job of any kind, as it is answered. */
export type JobView = Frozen<Static<typeof AnyJob>>;
export type JobViewOf<Name extends JobType> = Extract<JobView, { readonly type: Name }>;
