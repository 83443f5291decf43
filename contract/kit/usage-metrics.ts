import Type from 'typebox';
import { Nullable, Strict } from './schemas.ts';

export const usageMetrics = {
  uploads: 'count',
  uploaded_bytes: 'bytes',
  transcription_minutes: 'minutes',
  translated_characters: 'characters',
  spoken_characters: 'characters',
  analyzed_pictures: 'count',
  analyzed_characters: 'characters',
  rendered_minutes: 'minutes',
  cost: 'usd',
  stored_bytes: 'bytes',
} as const;

export type Metric = keyof typeof usageMetrics;
export type Unit = (typeof usageMetrics)[Metric];

export const metrics = Object.keys(usageMetrics) as Metric[];
export const units = [...new Set(Object.values(usageMetrics))] as Unit[];

export const costMembers = {
  metric: Type.Enum(metrics),
  unit: Type.Enum(units),
  quantity: Type.Number({ minimum: 0 }),
  engine: Nullable(Type.String({ description: 'Engine that does it; null for Kinora itself' })),
  cost_usd: Nullable(
    Type.Number({
      minimum: 0,
      description:
        'Price of the engine, USD: the list price of its provider, or the price that the operator set; null if it is unknown',
    }),
  ),
} as const;

export const Receipt = Strict(
  {
    lines: Type.Array(Strict(costMembers)),
    cost_usd: Nullable(
      Type.Number({
        minimum: 0,
        description: 'Sum of all lines, USD; null if the cost of a line is unknown',
      }),
    ),
  },
  {
    description:
      'Usage and cost of the job so far. Finished work counts, even if the job fails. Only answers about one job that ' +
      'has ended have a receipt. The cost has only the prices of providers, without the operator’s cost of functions and storage',
  },
);
