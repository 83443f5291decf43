import Type from 'typebox';
import {
  type AnalysisKind,
  analysisKindNames,
  analysisKinds,
  type OutcomeStatus,
  outcomes,
} from '../kit/analysis-kinds.ts';
import { paging } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Fraction,
  found,
  JobErrorBody,
  Nullable,
  pageParameters,
  pages,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { type TrackChoice, trackChoices } from '../kit/track-choice-reasons.ts';

const meanings = Object.entries(outcomes).map(([status, meaning]) => `\`${status}\`: ${meaning}.`);
const outcome = {
  status: Type.Enum(Object.keys(outcomes) as OutcomeStatus[], { description: meanings.join('\n') }),
  error: Nullable(JobErrorBody),
};
const Outcome = Strict(outcome, { $id: 'AnalysisOutcome' });
const LanguageOutcome = Strict(
  { language_id: Uuid('Language that the template asks for'), ...outcome },
  { $id: 'LanguageOutcome' },
);
const Analyses = Strict(
  Object.fromEntries(analysisKindNames.map((kind) => [kind, Type.Optional(Outcome)])) as Record<
    AnalysisKind,
    ReturnType<typeof Type.Optional<typeof Outcome>>
  >,
  {
    $id: 'Analyses',
    description:
      'Status of each analysis; empty until processing begins. ' +
      Object.entries(analysisKinds)
        .map(([kind, meaning]) => `\`${kind}\`: ${meaning}.`)
        .join(' '),
  },
);

const choices = Object.entries(trackChoices).map(([choice, meaning]) => `\`${choice}\`: ${meaning}.`);
export const SourceTrack = Strict(
  {
    number: Type.Integer({ minimum: 1, description: 'Number of the audio track in the file, from 1' }),
    language: Nullable(Type.String({ description: 'BCP 47 tag from the file; null if the file has none' })),
    title: Nullable(Type.String({ description: 'Title from the file, cut at 200 characters' })),
    codec: Type.String({ description: 'Name of the codec in ffmpeg' }),
    channels: Type.Integer({ minimum: 1 }),
    is_default: Type.Boolean({ description: 'Whether the file marks it as the default' }),
    chosen: Nullable(
      Type.Enum(Object.keys(trackChoices) as TrackChoice[], {
        description: `Reason why this track is transcribed; null for the other tracks. ${choices.join(' ')}`,
      }),
    ),
  },
  { $id: 'SourceTrack' },
);

/** The number of an audio track. A file has at most 64. */
export const audioTrackNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 64, description });

const exampleId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

export const Asset = Strict(
  {
    asset_id: AssetUuid(),
    filename: Type.String(),
    name: Type.String({ description: 'Display name; the file name by default' }),
    template_id: Nullable(Uuid('Template')),
    collection_id: Nullable(Uuid('Collection')),
    language_id: Nullable(Uuid('Original language')),
    external_id: Nullable(Type.String()),
    mc_model: Type.Enum(['normal', 'turbo'], { description: 'Requested model' }),
    processed_as: Nullable(
      Type.Enum(['normal', 'turbo'], {
        description:
          'Model that processed the asset: `normal` if no engine here is faster for `turbo`; null until it is processed',
      }),
    ),
    status: Type.Enum(['created', 'uploading', 'processing', 'ready', 'failed', 'deleting']),
    stage: Nullable(Type.String({ description: 'Step of the processing that runs now' })),
    progress: Fraction('Progress of the processing, 0 to 1; never falls'),
    estimated_ready_at: Nullable(
      Timestamp('Expected end of the processing, estimated from its recent speed; null while it is unknown'),
    ),
    error: Nullable(JobErrorBody),
    duration_ms: Nullable(Type.Integer({ description: 'Duration, milliseconds' })),
    width: Nullable(Type.Integer({ description: 'Width as displayed, pixels' })),
    height: Nullable(Type.Integer({ description: 'Height as displayed, pixels' })),
    frame_rate: Nullable(Type.Number({ description: 'Frames per second' })),
    start_timecode: Nullable(
      Type.String({
        description:
          'Time code of the first picture, if the file has one: `10:00:00:00`, or `01:00:00;00` for a drop-frame code',
      }),
    ),
    audio_channels: Nullable(Type.Integer({ description: 'Channels of the transcribed track' })),
    audio_track: Nullable(audioTrackNumber('Requested audio track to transcribe; null if Kinora chooses')),
    source_tracks: Type.Array(SourceTrack, {
      description:
        'Audio tracks of the file, with the reason why one of them is transcribed; empty until the file was probed',
    }),
    source_findings: Type.Array(
      Strict({
        code: Type.Enum(['ends_early']),
        detail: Type.String({ description: 'How the file shows it' }),
      }),
      {
        description:
          'Faults of a file that can be used nevertheless: with `ends_early`, its end is missing. Upload the complete file to a new asset',
      },
    ),
    size_bytes: Nullable(Type.Integer()),
    analyses: Analyses,
    translations: Type.Array(LanguageOutcome, {
      description: 'Status of the translations that the template asks for, those to speak included',
    }),
    voice_overs: Type.Array(LanguageOutcome, {
      description: 'Status of the dubs that the template asks for',
    }),
    languages: Type.Array(Uuid('Language'), { description: 'Languages that have a transcription' }),
    created_at: Timestamp('When the asset was created'),
    updated_at: Timestamp('When the asset changed last'),
  },
  { $id: 'Asset' },
);

export const assetExample = {
  asset_id: exampleId,
  filename: 'keynote.mp4',
  name: 'Opening keynote',
  template_id: null,
  collection_id: null,
  language_id: '8993a0fb-016d-5a01-81d7-1cebafdf70d7',
  external_id: 'cms-4711',
  mc_model: 'normal',
  processed_as: 'normal',
  status: 'ready',
  stage: null,
  progress: 1,
  estimated_ready_at: null,
  error: null,
  duration_ms: 61_440,
  width: 1920,
  height: 1080,
  frame_rate: 25,
  start_timecode: '10:00:00:00',
  audio_channels: 2,
  audio_track: null,
  source_tracks: [
    {
      number: 1,
      language: 'en',
      title: null,
      codec: 'aac',
      channels: 2,
      is_default: true,
      chosen: 'only',
    },
  ],
  source_findings: [],
  size_bytes: 18_874_368,
  analyses: {
    transcription: { status: 'ready', error: null },
    ocr: { status: 'skipped', error: null },
  },
  translations: [],
  voice_overs: [],
  languages: ['8993a0fb-016d-5a01-81d7-1cebafdf70d7'],
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:32:10.000Z',
};

export const listAssets = operation({
  route: 'GET /v1/assets',
  summary: 'List assets, newest first',
  description: `An asset must match all filters, and all values of a comma-separated filter. ${paging}`,
  scope: 'assets:read',
  ...pages('One page of assets', Asset, 'AssetPage'),
  query: Strict({
    ...pageParameters.properties,
    collection_id: Type.Optional(Uuid('Only assets of this collection')),
    entities: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Entities that the asset mentions, comma-separated. An asset is indexed by its most frequent entities, up to 60,000 bytes',
      }),
    ),
    sentiment: Type.Optional(Type.Enum(['Negative', 'Neutral', 'Positive'])),
    classification: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'EBU classification' }),
    ),
    speakers: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'Names of speakers, comma-separated' }),
    ),
    language_id: Type.Optional(Uuid('Only assets with a transcription in this language')),
    view_id: Type.Optional(
      Uuid('Only assets that meet the conditions of this view; an addition to the base specification'),
    ),
  }),
  errors: ['resource_not_found'],
});

export const getAsset = operation({
  route: 'GET /v1/assets/{asset_id}',
  summary: 'Get an asset',
  description:
    '`status` goes from created through uploading and processing to ready or failed. During processing, `stage` and `progress` change, and `estimated_ready_at` is the expected end as soon as it is known. The facts of the media (duration, size, frame rate) are null until the file was probed. Subscribe a webhook instead of polling.',
  scope: 'assets:read',
  responses: found('asset', Asset, assetExample),
});

export const getAssetByExternalId = operation({
  route: 'GET /v1/external/assets/{external_id}',
  summary: "Get an asset by the caller's own id",
  description:
    'The asset with this `external_id` in your tenant; the answer is that of `GET /v1/assets/{asset_id}`. ' +
    'Percent-encode the id. If it has `%` or `?`, encode it twice (`%2525`, `%253F`), because API Gateway decodes paths ' +
    'twice. Encoding twice is always safe.',
  scope: 'assets:read',
  responses: found('asset', Asset, assetExample),
});
