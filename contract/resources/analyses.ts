/** Results of the analyses of an asset, and what people add: centers of interest and sound descriptions. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  assetId,
  Body,
  Box,
  Confidence,
  Count,
  dateFields,
  dates,
  Fraction,
  FramingSource,
  found,
  Line,
  Milliseconds,
  made,
  Nullable,
  pages,
  Strict,
  shown,
  span,
  Timestamp,
  Url,
  Uuid,
} from '../kit/schemas.ts';
import { Metadata, MetadataSummary, metadataExample, summaryExample } from './metadata-schemas.ts';

const empty = 'One page; empty before the analysis has run';

const coiFields = {
  ...span,
  x: Fraction('Center, measured from the left edge of the picture'),
  y: Fraction('Center, measured from the top edge of the picture'),
};

export const CenterOfInterest = Strict(
  {
    coi_id: Uuid('Center of interest'),
    asset_id: AssetUuid(),
    ...coiFields,
    width: Nullable(Fraction('Width of the region of interest')),
    height: Nullable(Fraction('Height of the region of interest')),
    label: Nullable(Type.String()),
    ...dateFields,
  },
  { $id: 'CenterOfInterest' },
);

const coiExample = {
  coi_id: '019a9d2e-40aa-7d10-8c3e-5b7a0e4d2c01',
  asset_id: assetId,
  start_ms: 12_000,
  end_ms: 18_500,
  x: 0.62,
  y: 0.4,
  width: 0.2,
  height: 0.35,
  label: 'Presenter',
  ...dates,
};

export const createCenterOfInterest = operation({
  route: 'POST /v1/assets/{asset_id}/centers_of_interest',
  summary: 'Mark a center of interest in the picture',
  description:
    'From `start_ms` to `end_ms`, clips keep this point in the middle of the frame and ignore the automatic framing. ' +
    'The frame moves there before `start_ms`, within the same shot; at the start of a shot it jumps. `width` and `height` go together: ' +
    'they set the region around the point that stays in the frame if it fits. If two centers of interest overlap, ' +
    'the newer one applies. Clips that are already rendered become `stale`.',
  scope: 'assets:write',
  body: Body(
    {
      ...coiFields,
      width: Type.Optional(
        Fraction('Width of the region of interest; requires height, and must lie within the picture'),
      ),
      height: Type.Optional(Fraction('Height of the region of interest; requires width')),
      label: Type.Optional(Line('Name for people')),
    },
    { $id: 'CenterOfInterestInput' },
  ),
  bodyExample: { start_ms: 12_000, end_ms: 18_500, x: 0.62, y: 0.4, label: 'Presenter' },
  responses: made('center of interest', CenterOfInterest, coiExample),
});

export const listCentersOfInterest = operation({
  route: 'GET /v1/assets/{asset_id}/centers_of_interest',
  summary: 'List centers of interest, by time',
  description: 'Points that people marked, which the frame must keep, each with its time range.',
  scope: 'assets:read',
  ...pages(empty, CenterOfInterest, 'CenterOfInterestPage', coiExample),
});

export const deleteCenterOfInterest = operation({
  route: 'DELETE /v1/assets/{asset_id}/centers_of_interest/{coi_id}',
  summary: 'Delete a center of interest',
  description:
    'Reframing then follows the automatic framing (`autocenter`) again. Clips that are already rendered do not change.',
  scope: 'assets:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['precondition_failed'],
});

const SoundDescription = Strict(
  {
    description_id: Uuid('Sound description'),
    asset_id: AssetUuid(),
    ...span,
    text: Type.String({ description: 'The sound, without brackets' }),
    confidence: Confidence,
    ...dateFields,
  },
  { $id: 'SoundDescription' },
);

const soundExample = {
  description_id: '019a9d2e-51bb-7a02-9f1c-0c4d2a7e8b11',
  asset_id: assetId,
  start_ms: 3000,
  end_ms: 6200,
  text: 'applause',
  confidence: 0.91,
  ...dates,
};

export const listSoundDescriptions = operation({
  route: 'GET /v1/assets/{asset_id}/sound_descriptions',
  summary: 'List sound descriptions, by time',
  description:
    'Sounds other than speech, as subtitles for deaf and hard-of-hearing people show them. Empty until the analysis has run.',
  scope: 'transcripts:read',
  ...pages(empty, SoundDescription, 'SoundDescriptionPage', soundExample),
});

export const getSoundDescription = operation({
  route: 'GET /v1/assets/{asset_id}/sound_descriptions/{description_id}',
  summary: 'Get a sound description',
  description:
    'A sound other than speech, from `start_ms` to `end_ms` (milliseconds from the beginning), with the confidence of the engine.',
  scope: 'transcripts:read',
  responses: found('sound description', SoundDescription, soundExample, 'Its version'),
});

export const deleteSoundDescription = operation({
  route: 'DELETE /v1/assets/{asset_id}/sound_descriptions/{description_id}',
  summary: 'Delete a sound description',
  description: 'WebVTT subtitles no longer show it, even if sounds are included.',
  scope: 'transcripts:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['precondition_failed'],
});

export const listMetadata = operation({
  route: 'GET /v1/assets/{asset_id}/metadata',
  summary: 'List metadata, one entry for each language, without details',
  description:
    'One entry for each language, with title, summary and sentiment. An asset of which only text in the picture is known has one entry with `texts` alone. Get one entry to read its keywords, entities, chapters and texts.',
  scope: 'assets:read',
  ...pages(empty, MetadataSummary, 'MetadataPage', summaryExample),
});

export const getMetadata = operation({
  route: 'GET /v1/assets/{asset_id}/metadata/{metadata_id}',
  summary: 'Get metadata with keywords, entities, chapters and texts',
  description:
    'Metadata in one language: title, summary, keywords, entities, chapters with their times in milliseconds, and texts for publishing.',
  scope: 'assets:read',
  responses: found('metadata', Metadata, metadataExample, 'Its version'),
});

const Waveform = Strict(
  {
    version: Type.Literal(2),
    channels: Type.Literal(1),
    sample_rate: Type.Integer({ description: 'Sample rate of the sound, in samples per second' }),
    samples_per_pixel: Type.Integer({ description: 'Number of samples that one pair of peaks covers' }),
    bits: Type.Literal(8),
    length: Count('Number of pairs'),
    data: Type.Array(Type.Integer({ minimum: -128, maximum: 127 }), {
      description: 'Lowest and highest sample of each pair, one after the other',
    }),
  },
  { $id: 'Waveform' },
);

export const getWaveform = operation({
  route: 'GET /v1/assets/{asset_id}/waveform',
  summary: 'Get the waveform of the sound',
  description:
    'Peaks of the transcribed audio track, mixed to one channel, in version 2 of the JSON format of BBC audiowaveform. peaks.js and wavesurfer.js draw it. A pair of peaks covers 20 ms, or more if the sound is longer than 21 minutes, so that the answer stays below one megabyte. Without peaks until the sound was analyzed, and if the media has no sound.',
  scope: 'assets:read',
  beyondSpec: true,
  responses: shown('The waveform', Waveform, {
    version: 2,
    channels: 1,
    sample_rate: 16_000,
    samples_per_pixel: 320,
    bits: 8,
    length: 3,
    data: [-3, 4, -41, 38, -12, 15],
  }),
});

export const CameraShot = Strict(
  {
    ...span,
    start_frame: Nullable(Type.Integer({ minimum: 0 })),
    end_frame: Nullable(Count('The first frame after the shot')),
    transition: Type.Enum(['cut', 'dissolve', 'fade', 'start'], { description: 'How the shot begins' }),
    confidence: Confidence,
  },
  { $id: 'CameraShot' },
);

export const listCameraShoots = operation({
  route: 'GET /v1/assets/{asset_id}/camera_shoots',
  summary: 'List camera shots, by time',
  description:
    'Camera shots with their times in milliseconds and frames. A shot ends where the next begins. Empty until the analysis has run.',
  scope: 'assets:read',
  ...pages(empty, CameraShot, 'CameraShotPage', {
    start_ms: 0,
    end_ms: 4120,
    start_frame: 0,
    end_frame: 103,
    transition: 'start',
    confidence: null,
  }),
});

export const Face = Strict(
  {
    face_id: Uuid('Face: one person in this asset'),
    name: Nullable(Type.String({ description: 'Name of the person, set by a caller' })),
    speaker_id: Nullable(Uuid('Speaker with this face, set by a caller')),
    confidence: Confidence,
    appearances: Type.Array(Strict({ ...span, box: Box }), {
      description: 'Appearances by time; the face hardly moves within one',
    }),
    thumbnail: Nullable(
      Strict({
        url: Url('Presigned URL of a JPEG, 240 × 240 pixels'),
        expires_at: Timestamp('When the URL stops working'),
      }),
    ),
  },
  { $id: 'Face' },
);

const faceExample = {
  face_id: '019a9d2e-73dd-7c24-9b3e-2e6f4c9a0d31',
  name: null,
  speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01',
  confidence: 0.95,
  appearances: [{ ...{ start_ms: 0, end_ms: 4120 }, box: { x: 0.4, y: 0.1, width: 0.2, height: 0.35 } }],
  thumbnail: {
    url: 'https://media.example.com/t/acme/face.jpeg?X-Amz-Signature=0',
    expires_at: '2026-11-21T10:32:00.000Z',
  },
};

export const listFaces = operation({
  route: 'GET /v1/assets/{asset_id}/faces',
  summary: 'List faces, with the times and places where each appears',
  description:
    'One entry for each person, the person with the longest screen time first. Each appearance is a box in fractions of the picture. The URL of the face picture works for one hour. Empty until the analysis has run.',
  scope: 'assets:read',
  ...pages(empty, Face, 'FacePage', faceExample),
});

export const updateFace = operation({
  route: 'PATCH /v1/assets/{asset_id}/faces/{face_id}',
  summary: 'Name a face',
  description:
    'Set a name, a speaker of the asset, or both; null removes a value. A new analysis of the same pictures recognizes the person and keeps both values. If the speaker is deleted later, the value is null.',
  scope: 'assets:write',
  body: Body(
    {
      name: Type.Optional(Nullable(Line('Who it is'))),
      speaker_id: Type.Optional(Nullable(Uuid('Speaker of the asset'))),
    },
    { $id: 'FaceUpdate', minProperties: 1 },
  ),
  bodyExample: { name: 'Ana Ruiz', speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01' },
  responses: found('face', Face, { ...faceExample, name: 'Ana Ruiz' }),
  errors: ['unknown_reference', 'precondition_failed'],
  beyondSpec: true,
});

const PathPoint = Strict(
  {
    at_ms: Milliseconds('Time from the beginning of the media'),
    x: Fraction('Center of the frame, measured from the left edge of the picture'),
    y: Fraction('The same, measured from the top edge'),
  },
  { $id: 'PathPoint' },
);

export const Storyboard = Strict(
  {
    asset_id: AssetUuid(),
    sheets: Type.Array(Url('GET the sheet here: a JPEG of at most 10 × 10 tiles'), {
      description: 'In order',
    }),
    tiles: Type.Array(
      Strict({
        ...span,
        sheet: Count('Index of its sheet in `sheets`, from 0'),
        x: Count('Pixels from the left of the sheet'),
        y: Count('Pixels from the top of the sheet'),
        width: Type.Integer({ minimum: 1 }),
        height: Type.Integer({ minimum: 1 }),
      }),
      { description: 'By time, without gaps; at most 300' },
    ),
    webvtt: Type.String({
      description: 'The same as WebVTT, for players: each cue is the URL of a sheet with `#xywh=`',
    }),
    expires_at: Timestamp('When the URLs stop working'),
  },
  { $id: 'Storyboard' },
);

const sheetExample = 'https://media.kinora.example/0.jpg?X-Amz-Signature=0';

export const getStoryboard = operation({
  route: 'GET /v1/assets/{asset_id}/storyboard',
  summary: 'Get small pictures of the whole video, for a seek bar',
  description:
    'Sheets of small pictures with their times: one picture per second, and at most 300 for long videos. The answer has them as data and as WebVTT for players. The presigned URLs work for one hour. Empty until the pictures were analyzed, and if the media has none.',
  scope: 'assets:read',
  beyondSpec: true,
  responses: shown('The storyboard', Storyboard, {
    asset_id: assetId,
    sheets: [sheetExample],
    tiles: [{ start_ms: 0, end_ms: 1000, sheet: 0, x: 0, y: 0, width: 160, height: 90 }],
    webvtt: `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${sheetExample}#xywh=0,0,160,90\n`,
    expires_at: '2026-11-21T10:30:00.000Z',
  }),
});

export const Poster = Strict(
  {
    url: Url('GET the picture here, a JPEG'),
    at_ms: Count('Time of the picture in the media, in milliseconds'),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    expires_at: Timestamp('When the URL stops working'),
  },
  { $id: 'Poster' },
);

export const getPoster = operation({
  route: 'GET /v1/assets/{asset_id}/poster',
  summary: 'Get the poster picture of the video',
  description:
    'One picture of the video, at most 1280 pixels wide. Pictures that are black or of one color are avoided. The presigned URL works for one hour. Answers 404 until the pictures were analyzed, and if the media has none.',
  scope: 'assets:read',
  beyondSpec: true,
  responses: shown('The URL of the picture', Poster, {
    url: 'https://media.kinora.example/poster.jpg?X-Amz-Signature=0',
    at_ms: 12_000,
    width: 1280,
    height: 720,
    expires_at: '2026-11-21T10:30:00.000Z',
  }),
});

const AutocenterSpan = Strict(
  {
    ...span,
    x: Fraction('Mean of the path, measured from the left edge of the picture'),
    y: Fraction('The same, measured from the top edge'),
    path: Type.Array(PathPoint, {
      minItems: 1,
      maxItems: 100,
      description:
        'Points by time. The path is straight between points, and constant before the first and after the last',
    }),
    source: FramingSource,
    confidence: Confidence,
  },
  { $id: 'AutocenterSpan' },
);

export const listAutocenter = operation({
  route: 'GET /v1/assets/{asset_id}/autocenter',
  summary: 'List the centers that reframing follows, by time',
  description:
    'The framing of a clip that is rendered now. Each entry has a time range, the path of the center of the frame in fractions of the ' +
    'picture, and the reason for it, centers of interest included. The path jumps only between shots. ' +
    'A path of more than 100 points continues in the next entry. Empty until the analysis has run or someone marks a center of interest.',
  scope: 'assets:read',
  ...pages(empty, AutocenterSpan, 'AutocenterPage', {
    start_ms: 0,
    end_ms: 4120,
    x: 0.5,
    y: 0.28,
    path: [
      { at_ms: 0, x: 0.48, y: 0.28 },
      { at_ms: 4120, x: 0.52, y: 0.28 },
    ],
    source: 'face',
    confidence: 0.95,
  }),
});
