/** Quotes: the cost of a job before its start. */
import Type from 'typebox';
import { quotedJobs } from '../kit/job-kinds.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, defaulted, Nullable, Strict, shown } from '../kit/schemas.ts';
import { costMembers } from '../kit/usage-metrics.ts';

const Quote = Strict(
  {
    asset_id: AssetUuid('Asset that the job would work on'),
    job: Type.Enum(quotedJobs),
    lines: Type.Array(
      Strict({
        ...costMembers,
        is_estimate: Type.Boolean({
          description:
            'Whether the job may use more or less. For an ingest, the quantities are averages, 900 characters per minute and one picture per second, because the media is not analyzed yet; the minutes of a video are estimated too, since its sound may be shorter. For a voice over, each segment counts once: a segment that does not fit into its time is spoken again, faster, at most twice. For clips, it is the maximum, with intro and outro: unchanged clips count nothing, but chunks that could be reused count',
        }),
      }),
      { description: 'Usage of the job' },
    ),
    cost_usd: Nullable(
      Type.Number({
        minimum: 0,
        description: 'Sum of all lines, USD; null if the cost of a line is unknown',
      }),
    ),
    budget: Nullable(
      Strict(
        {
          limit_usd: Type.Number({ description: 'Monthly budget of the tenant, USD' }),
          spent_usd: Type.Number({
            minimum: 0,
            description: 'Cost of this month (UTC) so far, USD',
          }),
          fits: Nullable(
            Type.Boolean({
              description:
                'Whether the job fits into what the budget has left beside running jobs. Null if the cost of the job is unknown',
            }),
          ),
        },
        { description: 'Null if the operator set no budget' },
      ),
    ),
    fits: Type.Boolean({
      description:
        'Whether every quota, the budget and the limit of concurrent jobs have room for the job now, beside running jobs. Other jobs can change this at any time',
    }),
    refusal: Nullable(
      Strict(
        {
          code: Type.Enum(['quota_exceeded', 'rate_limited']),
          detail: Type.String({ description: 'The limit that has no room, with its numbers' }),
        },
        {
          description:
            'The error that the job would have now, at its request, or for an ingest also once its media is probed; null if it fits',
        },
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
  route: 'GET /v1/assets/{asset_id}/quote',
  summary: 'Get a quote for a job',
  description:
    'The quantities that a job would use, and the prices of the engines in use. Characters to translate and minutes are counted. ' +
    'The results of an ingest, and repeated speech of a voice over, are estimated (`is_estimate`). No job is started and nothing is reserved. `fits` says whether the limits of the tenant have room for the job; `GET /v1/limits` shows the limits. ' +
    'A finished job has the same lines in its `receipt`; that of an ingest also has the upload and its bytes. ' +
    'Comparing faces can add the cost of up to 2,000 pictures, which a quote cannot know.',
  scope: 'usage:read',
  query: Strict({
    job: defaulted(Type.Enum(quotedJobs, { default: 'ingest', description: 'Which job' })),
    languages: ids('Target languages; required for `translation` and `voice_over`'),
    clone_voice: Type.Optional(
      Type.Boolean({
        description: "For `voice_over`: whether to clone voices. By default, the asset's template decides",
      }),
    ),
    clips: ids('Clips to render; required for `clips`'),
    duration_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 43_200_000,
        description: 'For `ingest`: duration of the media. By default, the known duration of the asset',
      }),
    ),
    size_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'For `ingest`: size of the file, which counts against quotas of bytes. Without it, `fits` does not consider the size',
      }),
    ),
    has_video: defaulted(
      Type.Boolean({
        default: true,
        description: 'For `ingest`, while the media is unknown: whether it has pictures',
      }),
    ),
  }),
  responses: shown('The quote', Quote, {
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
    fits: true,
    refusal: null,
  }),
  errors: ['invalid_state'],
  beyondSpec: true,
});
