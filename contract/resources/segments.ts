/** Segments and versions of a transcription. Segments can be added, edited, cut, joined and deleted. */
import Type, { type TSchema } from 'typebox';
import { operation } from '../kit/operation.ts';
import { Body, Line, Milliseconds, made, Nullable, Strict, Text, Uuid } from '../kit/schemas.ts';
import { Segment, segmentExample } from './transcriptions.ts';

export * from './transcription-versions.ts';

const texts = Text('Text; up to 5000 characters, on any number of lines', 5000);

const NewSegment = Body(
  {
    text: texts,
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End, after the start'),
    speaker: Line('Id or name of a speaker of the asset; a new name creates a speaker'),
    original_segment_id: Type.Optional(Uuid('Segment of the transcribed language that this one translates')),
  },
  { $id: 'NewSegment' },
);

const changes = {
  speaker_id: Type.Optional(Nullable(Uuid('Speaker of the asset; null removes the speaker'))),
  text: Type.Optional(texts),
  start_ms: Type.Optional(Milliseconds('Start')),
  end_ms: Type.Optional(Milliseconds('End, after the start')),
};

export const SegmentsVersion = Strict(
  {
    transcription_id: Uuid('Transcription'),
    version: Type.Integer({ minimum: 1, description: 'Version of the transcription that has them' }),
    segments: Type.Array(Segment, {
      description: 'The segments that were added or changed, in the order of the request',
    }),
  },
  { $id: 'SegmentsVersion' },
);

const versionExample = {
  transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10',
  version: 2,
  segments: [segmentExample],
};

const changed = <Answer extends TSchema>(description: string, body: Answer, example: object) => ({
  200: { description, body, example, headers: { ETag: 'Version of the transcription' } },
});

export const createSegments = operation({
  route: 'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments',
  summary: 'Add segments, all or none',
  description:
    'Segments are sorted by time, and the transcription gets a new version. Times are milliseconds from the beginning. A transcription has at most one million characters; the limits of `POST …/speakers` apply to new speakers.',
  scope: 'transcripts:write',
  body: Strict(
    { segments: Type.Array(NewSegment, { minItems: 1, maxItems: 1000 }) },
    { $id: 'CreateSegmentsInput' },
  ),
  bodyExample: {
    segments: [{ text: 'Welcome to Kinora.', start_ms: 1000, end_ms: 3200, speaker: 'Ana' }],
  },
  responses: made('segments', SegmentsVersion, versionExample),
  errors: ['unknown_reference', 'write_conflict', 'precondition_failed'],
});

export const updateSegments = operation({
  route: 'PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments',
  summary: 'Edit many segments, all or none',
  description:
    'If one edit is invalid, none is applied. Earlier versions stay readable: `GET …/{transcription_id}?version=`.',
  scope: 'transcripts:write',
  body: Strict(
    {
      segments: Type.Array(
        Type.Object(
          {
            segment_id: Type.Optional(Uuid('Segment')),
            id: Type.Optional(Uuid('Another name of the same id; send one of both')),
            ...changes,
          },
          { additionalProperties: false, minProperties: 2 },
        ),
        { minItems: 1, maxItems: 1000 },
      ),
    },
    { $id: 'UpdateSegmentsInput' },
  ),
  bodyExample: { segments: [{ segment_id: segmentExample.segment_id, text: 'Welcome to Kinora!' }] },
  responses: changed('The edited segments', SegmentsVersion, versionExample),
  errors: ['unknown_reference', 'write_conflict', 'precondition_failed'],
});

export const updateSegment = operation({
  route: 'PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}',
  summary: 'Edit a segment',
  description:
    'Absent members do not change. If the text changes, its words get new times. Each edit makes a new version of the transcription, and marks its translations as stale.',
  scope: 'transcripts:write',
  body: Strict(changes, { $id: 'UpdateSegmentInput', minProperties: 1 }),
  bodyExample: { text: 'Welcome to Kinora!' },
  responses: changed('The segment', Segment, segmentExample),
  errors: ['unknown_reference', 'write_conflict', 'precondition_failed'],
});

export const splitSegment = operation({
  route: 'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}/split',
  summary: 'Cut a segment in two',
  description:
    'Cuts at a time (between the nearest words), after a number of words, or after a number of characters. The first part keeps the id. A cut at a time fixes the times of both parts. Each part has at least 40 ms. A cut inside a word moves behind the word, or before it if it is the last word. A single word is cut exactly there.',
  scope: 'transcripts:write',
  body: Body(
    {
      time_ms: Type.Optional(Milliseconds('Time between its start and its end')),
      word: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 5000, description: 'Number of words in the first part' }),
      ),
      character: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 5000,
          description: 'Number of characters in the first part, in Unicode code points',
        }),
      ),
    },
    { $id: 'SplitSegmentInput' },
  ),
  bodyExample: { word: 1 },
  responses: changed('Both parts', SegmentsVersion, versionExample),
  errors: ['write_conflict', 'precondition_failed'],
  beyondSpec: true,
});

export const mergeSegments = operation({
  route: 'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/merge',
  summary: 'Join consecutive segments into one',
  description:
    'Makes a new segment from the first start to the last end, with all texts. If the speakers differ, the segment has no speaker, and each text begins on a new line with a dash.',
  scope: 'transcripts:write',
  body: Strict(
    { segment_ids: Type.Array(Uuid('Segment'), { minItems: 2, maxItems: 100, uniqueItems: true }) },
    { $id: 'MergeSegmentsInput' },
  ),
  bodyExample: {
    segment_ids: [segmentExample.segment_id, '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c45'],
  },
  responses: changed('The new segment', SegmentsVersion, versionExample),
  errors: ['unknown_reference', 'write_conflict', 'precondition_failed'],
  beyondSpec: true,
});

export const deleteSegment = operation({
  route: 'DELETE /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}',
  summary: 'Delete a segment',
  description:
    'Makes a new version of the transcription. The version before still has the segment and can be restored.',
  scope: 'transcripts:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['write_conflict', 'precondition_failed'],
  beyondSpec: true,
});
