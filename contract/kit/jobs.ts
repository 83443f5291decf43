/** The schemas of jobs. Jobs of all kinds have the same members, except subject, items and result. */
import Type, { type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { ingestItemKinds, type JobType } from './job-kinds.ts';
import { capital, type Frozen } from './operation.ts';
import {
  AssetUuid,
  Count,
  Fraction,
  JobErrorBody,
  JobStatus,
  JobUuid,
  Nullable,
  Strict,
  Timestamp,
  Url,
  Uuid,
} from './schemas.ts';
import { type ExportFormat, exportFormats } from './storage-types.ts';
import { Receipt } from './usage-metrics.ts';

const Progress = Fraction('Progress, 0 to 1; never falls');

const asset = { asset_id: AssetUuid('Asset that the job works on') };
const language = { language_id: Uuid('Language that this item is for') };

/** The schema of an item. Items run in parallel, and each has its own status. */
const itemOf = <Subject extends TProperties, Result extends TSchema>(subject: Subject, result: Result) =>
  Strict({
    ...subject,
    status: JobStatus,
    progress: Progress,
    error: Nullable(JobErrorBody),
    result: Nullable(result),
  });

const jobOf = <
  Name extends JobType,
  Subject extends TProperties,
  Item extends TSchema,
  Result extends TSchema,
>({
  type,
  subject,
  item,
  result,
  $id = `${type.split('_').map(capital).join('')}Job`,
}: {
  readonly type: Name;
  readonly subject: Subject;
  /** The schema of an item: `never` for a kind without items. */
  readonly item: Item;
  readonly result: Result;
  readonly $id?: string;
}) =>
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
              description: 'Position in the queue, from 1; it can go up and down',
            }),
          },
          {
            description:
              'Only while the job waits in the queue. The queue is fair: the tenant with the least running work comes first. The last of hundreds of waiting jobs have no position yet',
          },
        ),
      ),
      receipt: Type.Optional(Receipt),
      items: Type.Array(item, {
        description: 'Parts of the job, which run in parallel; empty if it has only one',
      }),
      result: Nullable(result),
      error: Nullable(JobErrorBody),
      created_at: Timestamp('When the job was created'),
      started_at: Nullable(Timestamp('When work began')),
      estimated_ready_at: Nullable(
        Timestamp('Expected end, estimated from the recent speed of the work; null while it is unknown'),
      ),
      finished_at: Nullable(Timestamp('When work ended')),
    },
    { $id },
  );

const noItems = itemOf({}, Strict({}));

const TranscriptionIds = Strict({
  transcription_ids: Type.Array(Uuid('Transcription'), { description: 'New transcriptions' }),
});

const FileFacts = Strict({
  media_type: Type.Enum(['image', 'video']),
  size_bytes: Type.Integer({ minimum: 0 }),
  width: Type.Integer({ description: 'Width as displayed, pixels' }),
  height: Type.Integer({ description: 'Height as displayed, pixels' }),
  duration_ms: Nullable(Type.Integer({ description: 'Duration of a video, milliseconds' })),
});

export const Platform = Type.Enum(['youtube', 'instagram', 'tiktok', 'linkedin', 'x', 'facebook']);

export const jobSchemas = {
  ingest: jobOf({
    type: 'ingest',
    subject: asset,
    item: itemOf(
      {
        kind: Type.Enum([...ingestItemKinds], {
          description:
            'Kind of the item: the transcription, or a result that the template of the asset asks for',
        }),
        language_id: Type.Optional(Uuid('Language of a translation or voice over')),
      },
      Strict({
        transcription_id: Type.Optional(Uuid('New transcription')),
        audio_track_id: Type.Optional(Uuid('New audio track')),
      }),
    ),
    result: TranscriptionIds,
  }),

  translation: jobOf({
    type: 'translation',
    subject: asset,
    item: itemOf(language, Strict({ transcription_id: Uuid('New translation') })),
    result: TranscriptionIds,
  }),

  voiceOver: jobOf({
    type: 'voice_over',
    subject: asset,
    item: itemOf(
      language,
      Strict({
        audio_track_id: Uuid('New audio track'),
        synthesised: Count('Segments that this job spoke'),
        kept: Count('Unchanged segments with the speech of an earlier job'),
        missing_count: Type.Optional(
          Count('Segments of the original that are not spoken, because they had no translation'),
        ),
      }),
    ),
    result: Strict({ audio_track_ids: Type.Array(Uuid('Audio track')) }),
  }),

  partialRetranslation: jobOf({
    type: 'partial_retranslation',
    subject: asset,
    item: itemOf(
      language,
      Strict({
        transcription_id: Uuid('Translation that was changed'),
        version: Type.Integer({ minimum: 1, description: 'Its version with the new segments' }),
        missing_count: Type.Optional(Count('Segments of the original that still have no translation')),
        deleted_segment_ids: Type.Optional(
          Type.Array(Uuid('Segment'), {
            description:
              'The first 20 named segments that the original no longer has: their translations were removed, and what replaced them was translated',
          }),
        ),
      }),
    ),
    result: TranscriptionIds,
  }),

  clips: jobOf({
    type: 'clips',
    subject: asset,
    item: itemOf(
      { video_clip_id: Uuid('Clip that this item is for') },
      Strict({
        url: Url('Download URL of the clip'),
        expires_at: Timestamp('When the URL stops working'),
        rendered: Count('Chunks of the clip that this job rendered'),
        reused: Count('Unchanged chunks that an earlier job rendered'),
      }),
    ),
    result: Strict({ video_clip_ids: Type.Array(Uuid('Clip that is ready')) }),
  }),

  export: jobOf({
    type: 'export',
    subject: {
      ...asset,
      video_clip_id: Type.Optional(Uuid('Clip that is exported')),
      transcription_id: Type.Optional(Uuid('Transcription that is exported')),
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Its version at the time of the request' }),
      ),
      metadata_id: Type.Optional(Uuid('Metadata that is exported')),
      format: Type.Optional(Type.Enum(Object.keys(exportFormats) as ExportFormat[])),
      external_storage_id: Type.Optional(Uuid('Storage that is written to')),
      path: Type.Optional(Type.String({ description: 'Path in the storage: the key of the object' })),
    },
    item: noItems,
    result: Strict({
      external_storage_id: Uuid('Storage that was written to'),
      path: Type.String({ description: 'Path in the storage: the key of the object' }),
      location: Nullable(
        Url(
          "URI of the object: `s3://`, `gs://`, or the blob's `https://` URL without credentials; null for dummy, which writes nothing",
        ),
      ),
      size_bytes: Count('Size of the file, bytes'),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, hexadecimal' }),
      confirmed: Nullable(
        Strict(
          {
            algorithm: Type.Enum(['SHA256', 'CRC32', 'MD5']),
            of: Type.Enum(['file', 'parts'], {
              description: 'Whether the storage verified the whole file or each part',
            }),
            value: Nullable(Type.String({ description: 'Checksum of the whole file, base64' })),
          },
          { description: 'Verification by the storage itself; null for dummy' },
        ),
      ),
    }),
  }),

  brandingOverlayUpload: jobOf({
    $id: 'BrandingOverlayUploadJob',
    type: 'branding_upload',
    subject: { overlay_id: Uuid('The branding overlay') },
    item: noItems,
    result: FileFacts,
  }),

  brandingClipUpload: jobOf({
    $id: 'BrandingClipUploadJob',
    type: 'branding_upload',
    subject: { clip_id: Uuid('The branding clip') },
    item: noItems,
    result: FileFacts,
  }),

  publish: jobOf({
    type: 'publish',
    subject: {
      ...asset,
      video_clip_id: Uuid('Clip'),
      platform: Platform,
      caption: Nullable(Type.String()),
      schedule_at: Nullable(Timestamp('Time of publication')),
    },
    item: noItems,
    result: Strict({ url: Url('URL of the post') }),
  }),
};

type Schemas = typeof jobSchemas;

/** A job of any kind, as answers contain it. */
export type JobView = { [Name in keyof Schemas]: Frozen<Static<Schemas[Name]>> }[keyof Schemas];
export type JobViewOf<Name extends JobType> = Extract<JobView, { readonly type: Name }>;

export const AnyJob = Type.Union(Object.values(jobSchemas), {
  $id: 'Job',
  description: 'A job of any kind; `type` is its kind',
}) as TSchema as TUnsafe<JobView>;
