/** Views: named filters of the asset list. */
import Type from 'typebox';
import { Name } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { forms } from '../kit/forms.ts';
import { Strict } from '../kit/schemas.ts';

const text = { minLength: 1, maxLength: 255, pattern: forms.line.pattern };

const holdsIds = {
  if: { required: ['field'], properties: { field: { enum: ['collection_id', 'language_id'] } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { value: { format: 'uuid', items: { format: 'uuid' } } } },
};

const Condition = Strict(
  {
    field: Type.Enum(
      ['collection_id', 'entities', 'sentiment', 'classification', 'speakers', 'language_id', 'created_at'],
      { description: 'A filter of `GET /v1/assets`, or created_at' },
    ),
    op: Type.Enum(['eq', 'in', 'all', 'gte', 'lte'], {
      description:
        'Operator: gte and lte for created_at; eq, in (any of) and all (each of) for the other fields',
    }),
    value: Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      ...text,
      items: { type: 'string', ...text },
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'A list for in and all, else one text; an ISO 8601 time for created_at',
    }),
  },
  { $id: 'FilterCondition', ...holdsIds },
);

export const { createView, listViews, getView, updateView, deleteView } = crud({
  kind: 'view',
  scope: 'config',
  description:
    'A named filter: `GET /v1/assets?view_id=…` lists the assets that currently meet all of its 1 to 20 conditions.',
  fields: {
    name: Name,
    filter_params: Type.Array(Condition, {
      minItems: 1,
      maxItems: 20,
      description: 'Conditions; an asset must meet all of them. They name at most 16 collections',
    }),
  },
  errors: ['unknown_reference'],
  example: {
    name: 'Good news of November',
    filter_params: [
      { field: 'sentiment', op: 'eq', value: 'Positive' },
      { field: 'speakers', op: 'in', value: ['Ada', 'Grace'] },
      { field: 'created_at', op: 'gte', value: '2026-11-01T00:00:00Z' },
    ],
  },
});
