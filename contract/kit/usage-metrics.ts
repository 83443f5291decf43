/** What is metered, by name, with its unit. */
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

/** Some of what a job uses: who does it, and what they ask. */
export const costMembers = {
  metric: Type.Enum(metrics),
  unit: Type.Enum(units),
  quantity: Type.Number({ minimum: 0 }),
  engine: Nullable(Type.String({ description: 'Who does it; null for Kinora itself' })),
  cost_usd: Nullable(
    Type.Number({
      minimum: 0,
      description:
        'What the engine asks for it, USD: by the list prices of its provider, or as the operator set it; null where nobody said',
    }),
  ),
} as const;

export const Receipt = Strict(
  {
    lines: Type.Array(Strict(costMembers)),
    cost_usd: Nullable(
      Type.Number({ minimum: 0, description: 'Of all lines, USD; null where one has none' }),
    ),
  },
  {
    description:
      'What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to ' +
      'a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it',
  },
);
