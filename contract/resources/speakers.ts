/** Speakers of an asset: the people whose names subtitles show. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { AssetUuid, Body, found, Line, made, pages, Strict, Timestamp, Uuid } from '../kit/schemas.ts';

export const Speaker = Strict(
  {
    speaker_id: Uuid('Speaker'),
    asset_id: AssetUuid(),
    name: Type.String({ description: 'Name as subtitles show it' }),
    created_at: Timestamp('When the speaker was created'),
    updated_at: Timestamp('When the speaker changed last'),
  },
  { $id: 'Speaker' },
);

const speakerExample = {
  speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  name: 'Ana Ruiz',
  created_at: '2026-11-21T09:40:00.000Z',
  updated_at: '2026-11-21T09:40:00.000Z',
};

export const createSpeaker = operation({
  route: 'POST /v1/assets/{asset_id}/speakers',
  summary: 'Create a speaker',
  description:
    'Segments with the label `label`, such as `Speaker 1`, and without a speaker are assigned to the new speaker in all transcriptions of the asset. Each of these gets a new version. Assign other segments with `PATCH …/segments`. `GET /v1/assets?speakers=` then finds the asset by the name. If another speaker of the asset has the name, the answer is `invalid_state`. The names of all speakers of an asset may take 60,000 bytes, about two thousand names; above that, the answer is `payload_too_large`.',
  scope: 'transcripts:write',
  body: Body(
    {
      name: Line('Name as subtitles show it'),
      label: Type.Optional(
        Line(
          'Current label of the speaker: `speaker` of segments without a `speaker_id`; the name by default',
        ),
      ),
    },
    { $id: 'SpeakerInput' },
  ),
  bodyExample: { name: 'Ana Ruiz' },
  responses: made('speaker', Speaker, speakerExample),
  errors: ['invalid_state', 'write_conflict'],
});

export const listSpeakers = operation({
  route: 'GET /v1/assets/{asset_id}/speakers',
  summary: 'List the speakers of an asset, oldest first',
  description:
    'Speakers that people named; segments refer to them by `speaker_id`. Voices that the engine distinguished are labels of segments until someone names them.',
  scope: 'transcripts:read',
  ...pages('One page of speakers', Speaker, 'SpeakerPage', speakerExample),
  beyondSpec: true,
});

export const updateSpeaker = operation({
  route: 'PATCH /v1/assets/{asset_id}/speakers/{speaker_id}',
  summary: 'Rename a speaker',
  description:
    'Transcriptions and subtitles show the new name at once, without a new version, and filters find the asset by it. If another speaker of the asset has the name, the answer is `invalid_state`; if all names together are too long, it is `payload_too_large`.',
  scope: 'transcripts:write',
  body: Strict(
    { name: Type.Optional(Line('Name as subtitles show it')) },
    { $id: 'SpeakerUpdate', minProperties: 1 },
  ),
  bodyExample: { name: 'Ana Ruiz Gil' },
  responses: found('speaker', Speaker, speakerExample),
  errors: ['invalid_state', 'precondition_failed', 'write_conflict'],
});

export const deleteSpeaker = operation({
  route: 'DELETE /v1/assets/{asset_id}/speakers/{speaker_id}',
  summary: 'Delete a speaker',
  description:
    'Segments keep the name as a plain label and lose the `speaker_id`. This makes a new version of each transcription.',
  scope: 'transcripts:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['precondition_failed', 'write_conflict'],
});
