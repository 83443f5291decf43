/** The common part of overlays and branding clips: each is created first, then its file is uploaded in parts, as for an asset. */
import Type, { type TSchema } from 'typebox';
import { Name } from '../kit/configuration-fields.ts';
import { type Crud, crud, type Pascal, pascal } from '../kit/crud.ts';
import { jobSchemas } from '../kit/jobs.ts';
import {
  accepted,
  JobErrorBody,
  jobExample,
  jobFollowed,
  Line,
  Nullable,
  Strict,
  Timestamp,
  Url,
  Uuid,
} from '../kit/schemas.ts';
import { FinishUploadInput, StartUploadInput, UploadTicket } from './uploads.ts';

interface FileDefinition<Kind extends string> {
  readonly kind: Kind;
  /** Member and path parameter with the item's id: `overlay_id`. */
  readonly id: string;
  /** A description of the accepted files, and of how clips show them. */
  readonly about: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly factsExample: Readonly<Record<string, unknown>>;
}

type FileOperations<One extends string> = Record<`start${One}Upload`, ReturnType<typeof startFileUpload>> &
  Record<`finish${One}Upload`, ReturnType<typeof finishFileUpload>> &
  Record<`get${One}UploadJob`, ReturnType<typeof getFileUploadJob>>;

/** The five operations of a configuration resource, and the three operations of its file. */
export function brandingFile<const Kind extends string>({
  kind,
  id,
  about,
  example,
  factsExample,
}: FileDefinition<Kind>): Crud<Kind> & FileOperations<Pascal<Kind>> {
  const one = pascal(kind);
  const file = { kind, path: `/v1/${kind.replaceAll(' ', '_')}s/{${id}}`, id };
  const configuration = crud({
    kind,
    id,
    scope: 'config',
    usedBy: 'variants of brandings',
    fields: fileFields,
    facts: fileFacts,
    description: `Then upload its file like an asset: \`start_upload\`, the parts, \`finish_upload\`. It can be used when its \`status\` is ready; the facts of the file are null until then. ${about} ${limits}`,
    deletion: 'Its file is deleted too. Clips that were rendered with it do not change.',
    example,
    factsExample,
  });
  const uploads = {
    [`start${one}Upload`]: startFileUpload(file),
    [`finish${one}Upload`]: finishFileUpload(file),
    [`get${one}UploadJob`]: getFileUploadJob(file),
  };
  return { ...configuration, ...(uploads as FileOperations<Pascal<Kind>>) };
}

interface FileKind {
  readonly kind: string;
  readonly path: string;
  readonly id: string;
}

const limits =
  'At most 2 GiB. Videos: at most 3 minutes and 4096 × 2304 pixels; the minutes are fewer above 1920 × 1080 pixels at 60 frames per second (half of that for overlays). Pictures: at most 7680 × 4320 pixels. A side of more than 3840 pixels is scaled down.';

const fileFields = { name: Name, filename: Line('Name of the file') };

/** Facts of the file; null until the file was checked. */
const fileFacts = {
  status: [Type.Enum(['created', 'uploading', 'ready', 'failed']), 'created'],
  media_type: [Nullable(Type.Enum(['image', 'video'])), null],
  size_bytes: [Nullable(Type.Integer()), null],
  width: [Nullable(Type.Integer({ description: 'Width as displayed, pixels' })), null],
  height: [Nullable(Type.Integer({ description: 'Height as displayed, pixels' })), null],
  duration_ms: [Nullable(Type.Integer({ description: 'Duration of a video, milliseconds' })), null],
  frame_rate: [
    Nullable(Type.Number({ description: 'Frames per second of the rendered video: constant, at most 60' })),
    null,
  ],
  has_audio: [Nullable(Type.Boolean({ description: 'Whether it adds sound to clips' })), null],
  preview_url: [
    Nullable(
      Url('URL of the rendered file: upright, as PNG, MP4 (H.264, AAC) or, with transparency, WebM (VP9)'),
    ),
    null,
  ],
  preview_expires_at: [Nullable(Timestamp('When `preview_url` stops working')), null],
  error: [Nullable(JobErrorBody), null],
} as const satisfies Record<string, readonly [TSchema, unknown]>;

const jobOf = ({ id }: FileKind) =>
  id === 'overlay_id' ? jobSchemas.brandingOverlayUpload : jobSchemas.brandingClipUpload;

const exampleOf = ({ id }: FileKind) =>
  jobExample(
    'branding_upload',
    { job_id: '019a9d2f-6f06-7b16-8c06-0c7b6a5d4e06', progress: 0.1, estimated_ready_at: null },
    { [id]: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' },
  );

const paramsOf = (...names: string[]) =>
  Strict(Object.fromEntries(names.map((name) => [name, Uuid('Id in the path')])));

const startFileUpload = (file: FileKind) => ({
  method: 'POST' as const,
  path: `${file.path}/start_upload`,
  summary: `Get one upload URL per part of the ${file.kind}'s file`,
  description:
    'PUT each part to its URL within one hour, as for assets. Repeating the call signs the same upload. This also replaces a file that is ready: ' +
    'clips use the old file until the new one is ready. If the new file cannot be used, clips keep the old one, and `error` has the reason.',
  scope: 'config:write' as const,
  params: paramsOf(file.id),
  body: StartUploadInput,
  bodyExample: { parts: 1 },
  bodyOptional: true,
  responses: { 200: { description: 'The upload URLs', body: UploadTicket } },
  errors: ['invalid_state', 'quota_exceeded', 'write_conflict'] as const,
});

const finishFileUpload = (file: FileKind) => ({
  method: 'POST' as const,
  path: `${file.path}/finish_upload`,
  summary: `Complete the upload of the ${file.kind}'s file and check it`,
  description:
    'Answers at once with the job that checks the file: whether it can be read, its size and its duration. The job converts it for ' +
    'rendering; the result counts as storage and, for videos, as rendered minutes. ' +
    'Repeating the call with the same ETags answers with the same job.',
  scope: 'config:write' as const,
  params: paramsOf(file.id),
  body: FinishUploadInput,
  bodyExample: { etags: ['"9b2cf535f27731c974343645a3985328"'] },
  responses: {
    202: {
      description: 'The job that checks the file',
      body: jobOf(file),
      example: exampleOf(file),
      headers: accepted,
    },
  },
  errors: ['invalid_state', 'upload_parts_mismatch', 'quota_exceeded', 'write_conflict'] as const,
});

const getFileUploadJob = (file: FileKind) => ({
  method: 'GET' as const,
  path: `${file.path}/upload_jobs/{job_id}`,
  summary: `Follow the upload of the ${file.kind}'s file`,
  description:
    'The job that `finish_upload` started. Its status is queued, then running, then finally succeeded or failed; `error` says ' +
    'what is wrong with the file. Poll again after the seconds in `Retry-After`.',
  scope: 'config:read' as const,
  params: paramsOf(file.id, 'job_id'),
  responses: jobFollowed(jobOf(file), exampleOf(file)),
});
