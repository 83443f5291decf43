/** Speakers of an asset: the people whose names subtitles show. */
import Type from 'typebox';
import { pageParameters } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Body,
  created,
  Line,
  listed,
  Page,
  pageExample,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

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

const speakerParams = Strict({ asset_id: AssetUuid(), speaker_id: Uuid('Speaker') });

const speakerExample = {
  speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  name: 'Ana Ruiz',
  created_at: '2026-11-21T09:40:00.000Z',
  updated_at: '2026-11-21T09:40:00.000Z',
};

export const createSpeaker = operation({
  id: 'createSpeaker',
  method: 'POST',
  path: '/v1/assets/{asset_id}/speakers',
  summary: 'Create a speaker',
  description:
    'Segments that are labelled with `label`, such as `Speaker 1`, which no speaker is assigned to, become theirs in all transcriptions of the asset, each of which gets a new version; others are assigned with `PATCH …/segments`. The asset is then found under the name, with `speakers=` of `GET /v1/assets`. An asset has one speaker of a name: another is refused with `invalid_state`. The names of its speakers may take 60,000 bytes, enough for some two thousand of ordinary length: more are refused with `payload_too_large`.',
  scope: 'transcripts:write',
  params: assetParams,
  body: Body(
    {
      name: Line('Name as subtitles show it'),
      label: Type.Optional(
        Line(
          'What segments call the speaker so far: `speaker` of those without a `speaker_id`; the name when absent',
        ),
      ),
    },
    { $id: 'SpeakerInput' },
  ),
  bodyExample: { name: 'Ana Ruiz' },
  responses: {
    201: { description: 'The new speaker', body: Speaker, example: speakerExample, headers: created },
  },
  errors: ['resource_not_found', 'invalid_state', 'write_conflict'],
});

export const listSpeakers = operation({
  id: 'listSpeakers',
  method: 'GET',
  path: '/v1/assets/{asset_id}/speakers',
  summary: 'List the speakers of an asset, oldest first',
  description:
    'Those that people named; a segment refers to one by `speaker_id`. Voices that an engine told apart are labels of segments until somebody names them.',
  scope: 'transcripts:read',
  params: assetParams,
  query: pageParameters,
  responses: {
    200: {
      description: 'One page of speakers',
      body: Page(Speaker, 'SpeakerPage'),
      example: pageExample(speakerExample),
      headers: listed,
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
  beyondSpec: true,
});

export const updateSpeaker = operation({
  id: 'updateSpeaker',
  method: 'PATCH',
  path: '/v1/assets/{asset_id}/speakers/{speaker_id}',
  summary: 'Rename a speaker',
  description:
    'Transcriptions and subtitles show the new name at once, and the asset is found under it; no new version is made. A name that another speaker of the asset has is refused with `invalid_state`, and with `payload_too_large` one that is too long beside those of all the others.',
  scope: 'transcripts:write',
  params: speakerParams,
  body: Strict(
    { name: Type.Optional(Line('Name as subtitles show it')) },
    { $id: 'SpeakerUpdate', minProperties: 1 },
  ),
  bodyExample: { name: 'Ana Ruiz Gil' },
  responses: {
    200: {
      description: 'The speaker',
      body: Speaker,
      example: speakerExample,
      headers: { ETag: 'Version of the speaker' },
    },
  },
  errors: ['resource_not_found', 'invalid_state', 'precondition_failed', 'write_conflict'],
});

export const deleteSpeaker = operation({
  id: 'deleteSpeaker',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}/speakers/{speaker_id}',
  summary: 'Delete a speaker',
  description:
    'Segments keep the name as a plain label and lose the `speaker_id`, which makes a new version of each transcription.',
  scope: 'transcripts:write',
  params: speakerParams,
  responses: { 204: { description: 'Deleted' } },
  errors: ['resource_not_found', 'precondition_failed', 'write_conflict'],
});
