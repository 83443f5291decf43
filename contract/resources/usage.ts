import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { Count, defaulted, Nullable, Strict, shown, Timestamp } from '../kit/schemas.ts';
import { metrics, units } from '../kit/usage-metrics.ts';

const Usage = Strict(
  {
    period: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'Month, UTC' }),
    metrics: Type.Array(
      Strict({
        metric: Type.Enum(metrics),
        unit: Type.Enum(units),
        quantity: Type.Number({
          minimum: 0,
          description:
            'Sum of the month. For stored_bytes, the storage at the end of the month, or now: media and branding files, without files made from media',
        }),
      }),
    ),
  },
  { $id: 'Usage' },
);

const usageExample = {
  period: '2026-11',
  metrics: [
    { metric: 'uploads', unit: 'count', quantity: 42 },
    { metric: 'uploaded_bytes', unit: 'bytes', quantity: 792_723_456 },
    { metric: 'transcription_minutes', unit: 'minutes', quantity: 183.25 },
    { metric: 'translated_characters', unit: 'characters', quantity: 148_212 },
    { metric: 'spoken_characters', unit: 'characters', quantity: 61_930 },
    { metric: 'analyzed_pictures', unit: 'count', quantity: 10_995 },
    { metric: 'analyzed_characters', unit: 'characters', quantity: 164_925 },
    { metric: 'rendered_minutes', unit: 'minutes', quantity: 12.5 },
    { metric: 'cost', unit: 'usd', quantity: 18.98806 },
    { metric: 'stored_bytes', unit: 'bytes', quantity: 1_203_765_248 },
  ],
};

export const getCurrentUsage = operation({
  route: 'GET /v1/usages/current_month',
  summary: 'Get the usage of the current month',
  description:
    'From the start of the month (UTC) until now. Uploads and bytes count when an upload is finished. Minutes of transcription count when their words are stored. Minutes of clips count when chunks are rendered; reused chunks do not count. `stored_bytes` is the current storage of uploaded files and of converted branding files. Files that Kinora makes from media (clips, audio tracks, pictures) do not count. A picture counts once for each engine call, for faces or for text. `cost` is the price of the engines’ providers in USD, from their list prices or from the settings of the operator.',
  scope: 'usage:read',
  responses: { 200: { description: 'The usage so far', body: Usage, example: usageExample } },
});

export const getHistoricalUsage = operation({
  route: 'GET /v1/usages/historical',
  summary: 'Get the usage of earlier months, latest first',
  description:
    'One entry per month (UTC), months without usage included. `stored_bytes` is the storage at the end of the month, counted as for the current month.',
  scope: 'usage:read',
  query: Strict({
    months: defaulted(Type.Integer({ minimum: 1, maximum: 36, default: 12, description: 'How many' })),
  }),
  responses: shown('The usage of each month', Strict({ data: Type.Array(Usage) }, { $id: 'UsageHistory' }), {
    data: [usageExample],
  }),
});

const resetsAt = (more = '') => Timestamp(`When the use is counted from 0 again${more}`);

const LimitsBody = Strict(
  {
    requests_per_minute: Nullable(
      Strict(
        {
          limit: Count('Requests of all keys of the tenant'),
          used: Count('In this minute'),
          resets_at: resetsAt(),
        },
        { description: 'Null if requests are not limited' },
      ),
    ),
    concurrent_jobs: Nullable(
      Strict(
        { limit: Count('Jobs of all kinds'), used: Count('Jobs that have not ended') },
        { description: 'Null if concurrent jobs are not limited' },
      ),
    ),
    quotas: Type.Array(
      Strict({
        metric: Type.Enum(metrics),
        unit: Type.Enum(units),
        limit: Type.Number({ minimum: 0 }),
        used: Type.Number({ description: 'As `GET /v1/usages/current_month` shows it' }),
        reserved: Type.Number({
          minimum: 0,
          description: 'The sum that jobs that have not ended may still use. A part may be in `used` already',
        }),
        left: Type.Number({ minimum: 0, description: 'Room for new jobs' }),
        resets_at: Nullable(resetsAt(', or null for stored_bytes, which only deletions reduce')),
      }),
      {
        description: 'Limits for a month (UTC); metrics without a limit are not listed. `cost` is the budget',
      },
    ),
  },
  { $id: 'Limits' },
);

export const getLimits = operation({
  route: 'GET /v1/limits',
  summary: 'Get the limits of the tenant, and how much of them is used',
  description:
    'The operator sets the limits; a change takes effect within a minute. A request that exceeds `requests_per_minute` or `concurrent_jobs` is refused with `rate_limited`, one that exceeds a quota with `quota_exceeded`. `GET …/quote` says whether a job would fit.',
  scope: 'usage:read',
  responses: shown('The limits', LimitsBody, {
    requests_per_minute: { limit: 600, used: 12, resets_at: '2026-11-21T09:33:00.000Z' },
    concurrent_jobs: { limit: 10, used: 2 },
    quotas: [
      {
        metric: 'transcription_minutes',
        unit: 'minutes',
        limit: 600,
        used: 183.25,
        reserved: 60,
        left: 356.75,
        resets_at: '2026-12-01T00:00:00.000Z',
      },
    ],
  }),
  beyondSpec: true,
});
