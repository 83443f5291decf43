/** What analyses find in an asset, and what people tell about its pictures and sounds. */
import Type from 'typebox';
import { assetParams } from './assets.ts';
import { operation } from './operation.ts';
import { created, Line, Milliseconds, Nullable, Strict, Timestamp, Uuid } from './schemas.ts';

const Fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Confidence = Nullable(Fraction('How sure the engine is'));
const span = { start_ms: Milliseconds('Start'), end_ms: Milliseconds('End') };

/** Of the picture as displayed: 0 is left and top, 1 right and bottom. */
const Box = Strict(
  {
    x: Fraction('Left edge'),
    y: Fraction('Upper edge'),
    width: Fraction('Width'),
    height: Fraction('Height'),
  },
  { $id: 'Box' },
);

const assetId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
const english = '8993a0fb-016d-5a01-81d7-1cebafdf70d7';
const dates = { created_at: '2026-11-21T09:32:00.000Z', updated_at: '2026-11-21T09:32:00.000Z' };
const dateFields = {
  created_at: Timestamp('When it was created'),
  updated_at: Timestamp('When it changed last'),
};
const missing = ['resource_not_found'] as const;

/** A list that belongs to an asset as a whole. */
const listOf = <Item extends ReturnType<typeof Strict>>(item: Item, name: string, example: unknown) => ({
  200: {
    description: 'All of them; none before the analysis has run',
    body: Strict({ data: Type.Array(item) }, { $id: name }),
    example: { data: [example] },
  },
});

const coiFields = {
  ...span,
  x: Fraction('Centre, from the left of the picture'),
  y: Fraction('Centre, from its top'),
};

const CenterOfInterest = Strict(
  {
    coi_id: Uuid('Center of interest'),
    asset_id: Uuid('Asset'),
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
  description: 'Reframing keeps it in the frame, before whatever autocenter found there.',
  scope: 'assets:write',
  params: assetParams,
  body: Strict(
    {
      ...coiFields,
      width: Type.Optional(Fraction('Width of what is of interest')),
      height: Type.Optional(Fraction('Height of what is of interest')),
      label: Type.Optional(Line('Name for people')),
    },
    { $id: 'CenterOfInterestInput' },
  ),
  bodyExample: { start_ms: 12_000, end_ms: 18_500, x: 0.62, y: 0.4, label: 'Presenter' },
  responses: {
    201: { description: 'The new one', body: CenterOfInterest, example: coiExample, headers: created },
  },
  errors: [...missing, 'invalid_state'],
});

export const listCentersOfInterest = operation({
  id: 'listCentersOfInterest',
  method: 'GET',
  path: '/v1/assets/{asset_id}/centers_of_interest',
  summary: 'List centers of interest, by time',
  scope: 'assets:read',
  params: assetParams,
  responses: listOf(CenterOfInterest, 'CenterOfInterestList', coiExample),
  errors: missing,
});

export const deleteCenterOfInterest = operation({
  id: 'deleteCenterOfInterest',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}/centers_of_interest/{coi_id}',
  summary: 'Delete a center of interest',
  scope: 'assets:write',
  params: Strict({ asset_id: Uuid('Asset'), coi_id: Uuid('Center of interest') }),
  responses: { 204: { description: 'Deleted' } },
  errors: [...missing, 'precondition_failed'],
});

const SoundDescription = Strict(
  {
    description_id: Uuid('Sound description'),
    asset_id: Uuid('Asset'),
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

const soundParams = Strict({ asset_id: Uuid('Asset'), description_id: Uuid('Sound description') });

export const listSoundDescriptions = operation({
  id: 'listSoundDescriptions',
  method: 'GET',
  path: '/v1/assets/{asset_id}/sound_descriptions',
  summary: 'List sound descriptions, by time',
  scope: 'transcripts:read',
  params: assetParams,
  responses: listOf(SoundDescription, 'SoundDescriptionList', soundExample),
  errors: missing,
});

export const getSoundDescription = operation({
  id: 'getSoundDescription',
  method: 'GET',
  path: '/v1/assets/{asset_id}/sound_descriptions/{description_id}',
  summary: 'Get a sound description',
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
  description: 'WebVTT subtitles no longer show it.',
  scope: 'transcripts:write',
  params: soundParams,
  responses: { 204: { description: 'Deleted' } },
  errors: [...missing, 'precondition_failed'],
});

const Sentiment = Strict({
  label: Type.Enum(['Negative', 'Neutral', 'Positive']),
  score: Fraction('Its share'),
});

const Classification = Strict({
  scheme: Type.Enum(['EBU ContentCS'], { description: 'EBU Tech 3293' }),
  code: Type.String({ description: 'Code of the term, such as 3.1.1' }),
  name: Type.String(),
  confidence: Confidence,
});

const metadataFields = {
  metadata_id: Uuid('Metadata'),
  asset_id: Uuid('Asset'),
  language_id: Uuid('Language that it is written in'),
  title: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  sentiment: Nullable(Sentiment),
  classifications: Type.Array(Classification),
  ...dateFields,
};

const MetadataSummary = Strict(metadataFields, { $id: 'MetadataSummary' });

/** Where something is spoken of or shown. */
const Mention = Strict(span);

const Metadata = Strict(
  {
    ...metadataFields,
    keywords: Type.Array(Strict({ text: Type.String(), relevance: Fraction('Within the asset') })),
    entities: Type.Array(
      Strict({
        text: Type.String(),
        type: Type.Enum(['person', 'organization', 'location', 'date', 'product', 'event', 'other']),
        confidence: Confidence,
        mentions: Type.Array(Mention),
      }),
    ),
    chapters: Type.Array(Strict({ title: Type.String(), summary: Nullable(Type.String()), ...span }), {
      description: 'One after another, without gaps',
    }),
    texts: Type.Array(Strict({ text: Type.String(), ...span, box: Box, confidence: Confidence }), {
      description: 'What is written in the picture',
    }),
  },
  { $id: 'Metadata' },
);

const summaryExample = {
  metadata_id: '019a9d2e-62cc-7b13-8a2d-1d5e3b8f9c21',
  asset_id: assetId,
  language_id: english,
  title: 'Opening keynote',
  summary: 'Ana Ruiz introduces Kinora.',
  sentiment: { label: 'Positive' as const, score: 0.81 },
  classifications: [
    { scheme: 'EBU ContentCS' as const, code: '3.1.1.13', name: 'Technology', confidence: 0.77 },
  ],
  ...dates,
};

export const listMetadata = operation({
  id: 'listMetadata',
  method: 'GET',
  path: '/v1/assets/{asset_id}/metadata',
  summary: 'List metadata, one a language, without their details',
  scope: 'assets:read',
  params: assetParams,
  responses: listOf(MetadataSummary, 'MetadataList', summaryExample),
  errors: missing,
});

export const getMetadata = operation({
  id: 'getMetadata',
  method: 'GET',
  path: '/v1/assets/{asset_id}/metadata/{metadata_id}',
  summary: 'Get metadata with keywords, entities, chapters and texts',
  scope: 'assets:read',
  params: Strict({ asset_id: Uuid('Asset'), metadata_id: Uuid('Metadata') }),
  responses: {
    200: {
      description: 'The metadata',
      body: Metadata,
      example: {
        ...summaryExample,
        keywords: [{ text: 'subtitles', relevance: 0.93 }],
        entities: [
          {
            text: 'Ana Ruiz',
            type: 'person',
            confidence: 0.98,
            mentions: [{ start_ms: 1000, end_ms: 1600 }],
          },
        ],
        chapters: [{ title: 'Welcome', summary: null, start_ms: 0, end_ms: 61_440 }],
        texts: [
          {
            text: 'KINORA',
            start_ms: 0,
            end_ms: 4000,
            box: { x: 0.4, y: 0.8, width: 0.2, height: 0.1 },
            confidence: 0.99,
          },
        ],
      },
      headers: { ETag: 'Its version' },
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
  scope: 'assets:read',
  params: assetParams,
  responses: listOf(CameraShot, 'CameraShotList', {
    start_ms: 0,
    end_ms: 4120,
    start_frame: 0,
    end_frame: 103,
    transition: 'start',
    confidence: null,
  }),
  errors: missing,
});

const Face = Strict(
  {
    face_id: Uuid('Face: one person in this asset'),
    name: Nullable(Type.String({ description: 'Who it is, where that is known' })),
    speaker_id: Nullable(Uuid('Speaker whose face it is')),
    confidence: Confidence,
    appearances: Type.Array(Strict({ ...span, box: Box }), {
      description: 'By time; the face moves little within one',
    }),
  },
  { $id: 'Face' },
);

export const listFaces = operation({
  id: 'listFaces',
  method: 'GET',
  path: '/v1/assets/{asset_id}/faces',
  summary: 'List faces, with when and where each is seen',
  scope: 'assets:read',
  params: assetParams,
  responses: listOf(Face, 'FaceList', {
    face_id: '019a9d2e-73dd-7c24-9b3e-2e6f4c9a0d31',
    name: null,
    speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01',
    confidence: 0.95,
    appearances: [{ ...{ start_ms: 0, end_ms: 4120 }, box: { x: 0.4, y: 0.1, width: 0.2, height: 0.35 } }],
  }),
  errors: missing,
});

const AutocenterSpan = Strict(
  {
    ...span,
    x: Fraction('Centre that a narrower frame keeps, from the left of the picture'),
    y: Fraction('The same, from its top'),
    source: Type.Enum(['center_of_interest', 'face', 'motion', 'picture'], {
      description: 'What decided it; picture is its middle',
    }),
    confidence: Confidence,
  },
  { $id: 'AutocenterSpan' },
);

export const listAutocenter = operation({
  id: 'listAutocenter',
  method: 'GET',
  path: '/v1/assets/{asset_id}/autocenter',
  summary: 'List the centers that reframing follows, by time',
  scope: 'assets:read',
  params: assetParams,
  responses: listOf(AutocenterSpan, 'AutocenterList', {
    start_ms: 0,
    end_ms: 4120,
    x: 0.5,
    y: 0.28,
    source: 'face',
    confidence: 0.95,
  }),
  errors: missing,
});
