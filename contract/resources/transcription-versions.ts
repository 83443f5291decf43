import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { Count, found, Nullable, pages, Strict, Timestamp } from '../kit/schemas.ts';
import { TranscriptionSummary } from './transcriptions.ts';

const Version = Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Version' });

export const TranscriptionVersion = Strict(
  {
    version: Version,
    created_at: Timestamp('When it was made'),
    segment_count: Type.Integer({ minimum: 0 }),
    change: Nullable(
      Strict({
        action: Type.Enum(
          ['created', 'added', 'edited', 'split', 'merged', 'deleted', 'restored', 'translated'],
          { description: 'Change from the version before; translated: by a job' },
        ),
        segments: Count('Number of segments in the request; for a whole translation, number of its segments'),
        restored_version: Nullable(Type.Integer({ minimum: 1, description: 'Version that it restores' })),
      }),
    ),
  },
  { $id: 'TranscriptionVersion' },
);

const versionExample = {
  version: 2,
  created_at: '2026-11-21T09:31:00.000Z',
  segment_count: 9,
  change: { action: 'edited' as const, segments: 1, restored_version: null },
};

export const listTranscriptionVersions = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/versions',
  summary: 'List the versions of a transcription, newest first',
  description:
    'The newest 1000 versions and the first one are kept. `change` is null if it was not recorded. Read a version with `GET …/{transcription_id}?version=`.',
  scope: 'transcripts:read',
  ...pages('One page of versions', TranscriptionVersion, 'TranscriptionVersionPage', versionExample),
  beyondSpec: true,
});

export const restoreTranscription = operation({
  route: 'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/restore',
  summary: 'Restore an earlier version of a transcription',
  description:
    'Makes a new version with the segments of an old one. No version is lost, so you can undo it in the same way. If the segments are equal already, no version is made.',
  scope: 'transcripts:write',
  body: Strict({ version: Version }, { $id: 'RestoreTranscriptionInput' }),
  bodyExample: { version: 1 },
  responses: found(
    'transcription, without its segments',
    TranscriptionSummary,
    undefined,
    'Version of the transcription',
  ),
  errors: ['write_conflict', 'precondition_failed'],
  beyondSpec: true,
});
