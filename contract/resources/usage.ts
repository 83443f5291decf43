/** What a tenant has used, month by month. */
import Type from 'typebox';
import { defaulted, operation } from '../kit/operation.ts';
import { Strict } from '../kit/schemas.ts';
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
            'Sum of the month; of stored_bytes what was stored at its end, or is now: media and branding files, not what is made of media',
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
  id: 'getCurrentUsage',
  method: 'GET',
  path: '/v1/usages/current_month',
  summary: 'Get the usage of the current month',
  description:
    'From the first moment of the month (UTC) until now. Uploads and bytes count when an upload is finished, minutes of transcription when their words are there, of clips as their chunks are rendered, and not again where a chunk is as it was; `stored_bytes` is what is stored now of the files that were sent, and of the form in which those of brandings are rendered: what Kinora makes of media, as the files of clips, audio tracks and pictures, is not counted. Pictures count as often as an engine is asked about them, for faces or for text. `cost` is what the engines’ providers ask, USD, by their list prices or as the operator set them.',
  scope: 'usage:read',
  responses: { 200: { description: 'The usage so far', body: Usage, example: usageExample } },
  errors: [],
});

export const getHistoricalUsage = operation({
  id: 'getHistoricalUsage',
  method: 'GET',
  path: '/v1/usages/historical',
  summary: 'Get the usage of the months before, the latest first',
  description:
    'One entry a month (UTC), months without any use included. `stored_bytes` is what was stored when the month ended, counted as for the current month.',
  scope: 'usage:read',
  query: Strict({
    months: defaulted(Type.Integer({ minimum: 1, maximum: 36, default: 12, description: 'How many' })),
  }),
  responses: {
    200: {
      description: 'The usage of each month',
      body: Strict({ data: Type.Array(Usage) }, { $id: 'UsageHistory' }),
      example: { data: [usageExample] },
    },
  },
  errors: ['invalid_parameter'],
});
