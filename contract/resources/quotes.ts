/** What a job would cost, before it is asked for. */
import Type from 'typebox';
import { defaulted, operation } from '../kit/operation.ts';
import { AssetUuid, Nullable, Strict } from '../kit/schemas.ts';
import { costMembers } from '../kit/usage-metrics.ts';
import { assetParams } from './assets.ts';

/** The jobs that use something which is metered. */
export const quotedJobs = ['ingest', 'translation', 'voice_over', 'clips'] as const;
export type QuotedJob = (typeof quotedJobs)[number];

const Quote = Strict(
  {
    asset_id: AssetUuid('Asset that the job would work on'),
    job: Type.Enum(quotedJobs),
    lines: Type.Array(
      Strict({
        ...costMembers,
        is_estimate: Type.Boolean({
          description:
            'Whether the job may use more or less. Of an ingest it is what media usually come to, 900 characters a minute and a picture a second: nobody has listened or looked yet; the minutes of a video are an estimate as well, since its sound may be shorter. Of a voice over it is each segment once: what does not fit into its time is spoken again, faster, two times more at most. Of clips it is the most: with intro and outro, and nothing of a clip that is rendered as it would be now, but with chunks that need not be rendered again',
        }),
      }),
      { description: 'What the job would use' },
    ),
    cost_usd: Nullable(
      Type.Number({ minimum: 0, description: 'Of all lines, USD; null where one has none' }),
    ),
    budget: Nullable(
      Strict(
        {
          limit_usd: Type.Number({ description: 'What the tenant may cost in a month, USD' }),
          spent_usd: Type.Number({
            minimum: 0,
            description: 'What it cost this month (UTC) until now, USD',
          }),
          fits: Nullable(
            Type.Boolean({
              description:
                'Whether the job fits beside that; jobs that are under way may leave it less. Null where nobody knows what it costs',
            }),
          ),
        },
        { description: 'Null where the operator set none' },
      ),
    ),
  },
  { $id: 'Quote' },
);

const ids = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 4000, description: `${description}, comma-separated` }),
  );

export const getQuote = operation({
  id: 'getQuote',
  method: 'GET',
  path: '/v1/assets/{asset_id}/quote',
  summary: 'Ask what a job would cost',
  description:
    'The quantities that a job would be metered with, and what the engines in use ask for them. What ' +
    'is to be translated is counted, and so are minutes; what an ingest would find, and how often a segment has to be spoken, is estimated, as `is_estimate` says. Nothing is begun and ' +
    'nothing is reserved. A job that ends has the same lines as its `receipt`, which tells of an ingest the upload and its bytes as well. Faces that have to be compared cost more, up to 2,000 ' +
    'pictures, which nobody knows before.',
  scope: 'usage:read',
  params: assetParams,
  query: Strict({
    job: defaulted(Type.Enum(quotedJobs, { default: 'ingest', description: 'Which job' })),
    languages: ids('For `translation` and `voice_over`, which need it: into which languages'),
    clone_voice: Type.Optional(
      Type.Boolean({
        description:
          "For `voice_over`: whether voices are to be cloned. As the asset's template says when absent",
      }),
    ),
    clips: ids('For `clips`, which needs it: which clips'),
    duration_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 43_200_000,
        description: 'For `ingest`: how long the media are. What is known of the asset when absent',
      }),
    ),
    has_video: defaulted(
      Type.Boolean({
        default: true,
        description: 'For `ingest`, before anything is known of the media: whether they have pictures',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The quote',
      body: Quote,
      example: {
        asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
        job: 'ingest',
        lines: [
          {
            metric: 'transcription_minutes',
            unit: 'minutes',
            quantity: 60,
            engine: 'transcribe',
            cost_usd: 1.44,
            is_estimate: true,
          },
          {
            metric: 'analyzed_pictures',
            unit: 'count',
            quantity: 3600,
            engine: 'rekognition',
            cost_usd: 3.6,
            is_estimate: true,
          },
          {
            metric: 'analyzed_characters',
            unit: 'characters',
            quantity: 54_000,
            engine: 'comprehend',
            cost_usd: 0.162,
            is_estimate: true,
          },
        ],
        cost_usd: 5.202,
        budget: { limit_usd: 50, spent_usd: 18.98806, fits: true },
      },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_state'],
  beyondSpec: true,
});
