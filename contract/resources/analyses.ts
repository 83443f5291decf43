/** What analyses find in an asset, and what people tell about its pictures and sounds. */
import Type from 'typebox';
import {
  assetId,
  Box,
  Confidence,
  dateFields,
  dates,
  Fraction,
  FramingSource,
  span,
} from '../kit/analysis-fields.ts';
import { pageParameters } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Body,
  created,
  Line,
  listed,
  Milliseconds,
  Nullable,
  Page,
  pageExample,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { assetParams } from './assets.ts';
import { Metadata, MetadataSummary, metadataExample, summaryExample } from './metadata-schemas.ts';

const missing = ['resource_not_found'] as const;

/** What every list of an asset's analyses has. */
const listOf = <Item extends ReturnType<typeof Strict>>(item: Item, name: string, example: unknown) => ({
  query: pageParameters,
  responses: {
    200: {
      description: 'One page of them; none before the analysis has run',
      body: Page(item, name),
      example: pageExample(example),
      headers: listed,
    },
  },
  errors: [...missing, 'invalid_parameter', 'invalid_cursor'] as const,
});

const coiFields = {
  ...span,
  x: Fraction('Centre, from the left of the picture'),
  y: Fraction('Centre, from its top'),
};

const CenterOfInterest = Strict(
  {
    coi_id: Uuid('Center of interest'),
    asset_id: AssetUuid(),
    ...coiFields,
    width: Nullable(Fraction('Width of what is of interest')),
    height: Nullable(Fraction('Height of what is of interest')),
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
  id: 'createCenterOfInterest',
  method: 'POST',
  path: '/v1/assets/{asset_id}/centers_of_interest',
  summary: 'Say where the picture is of interest',
  description:
    'From `start_ms` to `end_ms` frames of clips are laid around the point, whatever was found there: the frame is on its way ' +
    'before, within the same shot, and jumps where the time begins with a shot. `width` and `height` go together and tell how ' +
    'much of the picture is meant, around the point: it is all in the frame where it fits. Where two overlap, the one that was ' +
    'created later holds. Clips that are rendered already become `stale`.',
  scope: 'assets:write',
  params: assetParams,
  body: Body(
    {
      ...coiFields,
      width: Type.Optional(Fraction('Width of what is of interest; with height, and within the picture')),
      height: Type.Optional(Fraction('Height of what is of interest; with width')),
      label: Type.Optional(Line('Name for people')),
    },
    { $id: 'CenterOfInterestInput' },
  ),
  bodyExample: { start_ms: 12_000, end_ms: 18_500, x: 0.62, y: 0.4, label: 'Presenter' },
  responses: {
    201: { description: 'The new one', body: CenterOfInterest, example: coiExample, headers: created },
  },
  errors: missing,
});

export const listCentersOfInterest = operation({
  id: 'listCentersOfInterest',
  method: 'GET',
  path: '/v1/assets/{asset_id}/centers_of_interest',
  summary: 'List centers of interest, by time',
  description: 'What people said that a frame has to keep: a point and the time for which it holds.',
  scope: 'assets:read',
  params: assetParams,
  ...listOf(CenterOfInterest, 'CenterOfInterestPage', coiExample),
});

export const deleteCenterOfInterest = operation({
  id: 'deleteCenterOfInterest',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}/centers_of_interest/{coi_id}',
  summary: 'Delete a center of interest',
  description:
    'Reframing then goes by what autocenter found there. Clips that were rendered before stay as they are.',
  scope: 'assets:write',
  params: Strict({ asset_id: AssetUuid(), coi_id: Uuid('Center of interest') }),
  responses: { 204: { description: 'Deleted' } },
  errors: [...missing, 'precondition_failed'],
});

const SoundDescription = Strict(
  {
    description_id: Uuid('Sound description'),
    asset_id: AssetUuid(),
    ...span,
    text: Type.String({ description: 'What is heard, without brackets' }),
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

const soundParams = Strict({ asset_id: AssetUuid(), description_id: Uuid('Sound description') });

export const listSoundDescriptions = operation({
  id: 'listSoundDescriptions',
  method: 'GET',
  path: '/v1/assets/{asset_id}/sound_descriptions',
  summary: 'List sound descriptions, by time',
  description:
    'What is heard besides speech, as subtitles for people who do not hear tell it. Empty until the analysis has run.',
  scope: 'transcripts:read',
  params: assetParams,
  ...listOf(SoundDescription, 'SoundDescriptionPage', soundExample),
});

export const getSoundDescription = operation({
  id: 'getSoundDescription',
  method: 'GET',
  path: '/v1/assets/{asset_id}/sound_descriptions/{description_id}',
  summary: 'Get a sound description',
  description:
    'What is heard besides speech between `start_ms` and `end_ms`, milliseconds from the beginning, with the confidence of the engine.',
  scope: 'transcripts:read',
  params: soundParams,
  responses: {
    200: {
      description: 'The sound description',
      body: SoundDescription,
      example: soundExample,
      headers: { ETag: 'Its version' },
    },
  },
  errors: missing,
});

export const deleteSoundDescription = operation({
  id: 'deleteSoundDescription',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}/sound_descriptions/{description_id}',
  summary: 'Delete a sound description',
  description: 'WebVTT subtitles no longer show it, whatever they were asked to include.',
  scope: 'transcripts:write',
  params: soundParams,
  responses: { 204: { description: 'Deleted' } },
  errors: [...missing, 'precondition_failed'],
});

export const listMetadata = operation({
  id: 'listMetadata',
  method: 'GET',
  path: '/v1/assets/{asset_id}/metadata',
  summary: 'List metadata, one a language, without their details',
  description:
    'One entry for each language that metadata were written in, with title, summary and sentiment; where texts were read in the picture and nothing else is known of them, one that has but `texts`. Get one to read its keywords, entities, chapters and texts.',
  scope: 'assets:read',
  params: assetParams,
  ...listOf(MetadataSummary, 'MetadataPage', summaryExample),
});

export const getMetadata = operation({
  id: 'getMetadata',
  method: 'GET',
  path: '/v1/assets/{asset_id}/metadata/{metadata_id}',
  summary: 'Get metadata with keywords, entities, chapters and texts',
  description:
    'What was found in the asset as one language tells it: title, summary, keywords, entities, chapters with their times in milliseconds, and texts for publishing.',
  scope: 'assets:read',
  params: Strict({ asset_id: AssetUuid(), metadata_id: Uuid('Metadata') }),
  responses: {
    200: {
      description: 'The metadata',
      body: Metadata,
      example: metadataExample,
      headers: { ETag: 'Its version' },
    },
  },
  errors: missing,
});

const Waveform = Strict(
  {
    version: Type.Literal(2),
    channels: Type.Literal(1),
    sample_rate: Type.Integer({ description: 'Samples a second that the peaks were taken of' }),
    samples_per_pixel: Type.Integer({ description: 'How many samples a pair of peaks covers' }),
    bits: Type.Literal(8),
    length: Type.Integer({ minimum: 0, description: 'How many pairs there are' }),
    data: Type.Array(Type.Integer({ minimum: -128, maximum: 127 }), {
      description: 'The lowest and the highest sample of each pair in turn',
    }),
  },
  { $id: 'Waveform' },
);

export const getWaveform = operation({
  id: 'getWaveform',
  method: 'GET',
  path: '/v1/assets/{asset_id}/waveform',
  summary: 'Get the waveform of the sound',
  description:
    'Peaks of the transcribed audio track as one channel, in the JSON format of BBC audiowaveform, version 2, which peaks.js and wavesurfer.js draw. A pair covers 20 ms, and more where the sound is longer than 21 minutes: the answer stays below a megabyte. Without any until the sound was listened to, and where there is none.',
  scope: 'assets:read',
  beyondSpec: true,
  params: assetParams,
  responses: {
    200: {
      description: 'The waveform',
      body: Waveform,
      example: {
        version: 2,
        channels: 1,
        sample_rate: 16_000,
        samples_per_pixel: 320,
        bits: 8,
        length: 3,
        data: [-3, 4, -41, 38, -12, 15],
      },
    },
  },
  errors: missing,
});

const CameraShot = Strict(
  {
    ...span,
    start_frame: Nullable(Type.Integer({ minimum: 0 })),
    end_frame: Nullable(Type.Integer({ minimum: 0, description: 'The first frame after the shot' })),
    transition: Type.Enum(['cut', 'dissolve', 'fade', 'start'], { description: 'How the shot begins' }),
    confidence: Confidence,
  },
  { $id: 'CameraShot' },
);

export const listCameraShoots = operation({
  id: 'listCameraShoots',
  method: 'GET',
  path: '/v1/assets/{asset_id}/camera_shoots',
  summary: 'List camera shots, by time',
  description:
    'Where the camera or the cut changes the picture, in milliseconds and frames; a shot ends where the next begins. Empty until the analysis has run.',
  scope: 'assets:read',
  params: assetParams,
  ...listOf(CameraShot, 'CameraShotPage', {
    start_ms: 0,
    end_ms: 4120,
    start_frame: 0,
    end_frame: 103,
    transition: 'start',
    confidence: null,
  }),
});

const Face = Strict(
  {
    face_id: Uuid('Face: one person in this asset'),
    name: Nullable(Type.String({ description: 'Who it is, as a caller said' })),
    speaker_id: Nullable(Uuid('Speaker whose face it is, as a caller said')),
    confidence: Confidence,
    appearances: Type.Array(Strict({ ...span, box: Box }), {
      description: 'By time; the face moves little within one',
    }),
    thumbnail: Nullable(
      Strict({
        url: Type.String({ format: 'uri', description: 'Presigned address of a JPEG, 240 × 240 pixels' }),
        expires_at: Timestamp('When the address stops working'),
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
  id: 'listFaces',
  method: 'GET',
  path: '/v1/assets/{asset_id}/faces',
  summary: 'List faces, with when and where each is seen',
  description:
    'One entry a person, the one that is seen longest first, with each appearance as a box in fractions of the picture, by time, and a picture of the face at an address that works for an hour. Empty until the analysis has run.',
  scope: 'assets:read',
  params: assetParams,
  ...listOf(Face, 'FacePage', faceExample),
});

export const updateFace = operation({
  id: 'updateFace',
  method: 'PATCH',
  path: '/v1/assets/{asset_id}/faces/{face_id}',
  summary: 'Say whose face it is',
  description:
    'A name, a speaker of the asset, or both; null takes either away. A new analysis of the same pictures knows the person again and keeps what was said. A speaker that is deleted later is shown as null.',
  scope: 'assets:write',
  params: Strict({ asset_id: AssetUuid(), face_id: Uuid('Face') }),
  body: Body(
    {
      name: Type.Optional(Nullable(Line('Who it is'))),
      speaker_id: Type.Optional(Nullable(Uuid('Speaker of the asset'))),
    },
    { $id: 'FaceUpdate', minProperties: 1 },
  ),
  bodyExample: { name: 'Ana Ruiz', speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01' },
  responses: {
    200: {
      description: 'The face',
      body: Face,
      example: { ...faceExample, name: 'Ana Ruiz' },
      headers: { ETag: 'Version of what is said of the face' },
    },
  },
  errors: [...missing, 'unknown_reference', 'precondition_failed'],
  beyondSpec: true,
});

const PathPoint = Strict(
  {
    at_ms: Milliseconds('When, from the beginning of the media'),
    x: Fraction('Centre of the frame, from the left of the picture'),
    y: Fraction('The same, from its top'),
  },
  { $id: 'PathPoint' },
);

const address = (what: string) => Type.String({ format: 'uri', description: what });

const Storyboard = Strict(
  {
    asset_id: AssetUuid(),
    sheets: Type.Array(address('GET the sheet here: a JPEG of at most 10 × 10 tiles'), {
      description: 'In order',
    }),
    tiles: Type.Array(
      Strict({
        ...span,
        sheet: Type.Integer({ minimum: 0, description: 'Place of its sheet in `sheets`' }),
        x: Type.Integer({ minimum: 0, description: 'Pixels from the left of the sheet' }),
        y: Type.Integer({ minimum: 0, description: 'Pixels from its top' }),
        width: Type.Integer({ minimum: 1 }),
        height: Type.Integer({ minimum: 1 }),
      }),
      { description: 'By time, without gaps; at most 300' },
    ),
    webvtt: Type.String({
      description: 'The same as WebVTT, for players: each cue is the address of a sheet with `#xywh=`',
    }),
    expires_at: Timestamp('When the addresses stop working'),
  },
  { $id: 'Storyboard' },
);

const sheetExample = 'https://media.kinora.example/0.jpg?X-Amz-Signature=0';

export const getStoryboard = operation({
  id: 'getStoryboard',
  method: 'GET',
  path: '/v1/assets/{asset_id}/storyboard',
  summary: 'Get small pictures of the whole video, for a seek bar',
  description:
    'Sheets of small pictures, taken every second of short videos and at most 300 times of long ones, with the time for which each stands; once as data, once as WebVTT as players read it. The addresses are presigned, for an hour. Empty until the pictures were looked at, and where the media have none.',
  scope: 'assets:read',
  params: assetParams,
  beyondSpec: true,
  responses: {
    200: {
      description: 'The storyboard',
      body: Storyboard,
      example: {
        asset_id: assetId,
        sheets: [sheetExample],
        tiles: [{ start_ms: 0, end_ms: 1000, sheet: 0, x: 0, y: 0, width: 160, height: 90 }],
        webvtt: `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${sheetExample}#xywh=0,0,160,90\n`,
        expires_at: '2026-11-21T10:30:00.000Z',
      },
    },
  },
  errors: missing,
});

const Poster = Strict(
  {
    url: address('GET the picture here, a JPEG'),
    at_ms: Type.Integer({ minimum: 0, description: 'When it is seen in the media, milliseconds' }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    expires_at: Timestamp('When the address stops working'),
  },
  { $id: 'Poster' },
);

export const getPoster = operation({
  id: 'getPoster',
  method: 'GET',
  path: '/v1/assets/{asset_id}/poster',
  summary: 'Get the picture that stands for the video',
  description:
    'One picture of the video, at most 1280 pixels wide: none that is black or of one colour where there is another. The address is presigned, for an hour. 404 until the pictures were looked at, and where the media have none.',
  scope: 'assets:read',
  params: assetParams,
  beyondSpec: true,
  responses: {
    200: {
      description: 'The address of the picture',
      body: Poster,
      example: {
        url: 'https://media.kinora.example/poster.jpg?X-Amz-Signature=0',
        at_ms: 12_000,
        width: 1280,
        height: 720,
        expires_at: '2026-11-21T10:30:00.000Z',
      },
    },
  },
  errors: missing,
});

const AutocenterSpan = Strict(
  {
    ...span,
    x: Fraction('Mean of the path, from the left of the picture'),
    y: Fraction('The same, from its top'),
    path: Type.Array(PathPoint, {
      minItems: 1,
      maxItems: 100,
      description: 'By time; straight between points, still before the first and after the last',
    }),
    source: FramingSource,
    confidence: Confidence,
  },
  { $id: 'AutocenterSpan' },
);

export const listAutocenter = operation({
  id: 'listAutocenter',
  method: 'GET',
  path: '/v1/assets/{asset_id}/autocenter',
  summary: 'List the centers that reframing follows, by time',
  description:
    'What a clip that is rendered now would follow: for each stretch of time the path of the point that a frame of another shape is ' +
    'laid around, in fractions of the picture, and what decided it, centers of interest included. The path jumps between shots ' +
    'alone; one of more than 100 points goes on in the next entry. Empty until the analysis has run, and while nobody set a center of interest.',
  scope: 'assets:read',
  params: assetParams,
  ...listOf(AutocenterSpan, 'AutocenterPage', {
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
