/** Views. `GET /v1/assets?view_id=` evaluates them. */
import * as contract from '../../../build/contract/views.js';
import { configurationResource } from '../../../platform/kernel/crud.ts';
import type { Reference } from '../../../platform/records/references.ts';
import { Inconsistent } from '../../../shared/problems.ts';
import { type Condition, requireSoundConditions } from '../../assets/rules/filters.ts';

export const handler = configurationResource(contract, {
  views: {
    check: (_, { filter_params }) => {
      if (filter_params === undefined) return;
      requireSoundConditions(filter_params as Condition[]);
      requireFewCollections(filter_params as Condition[]);
    },
    references: ({ filter_params }) => ((filter_params ?? []) as Condition[]).flatMap(referencesOf),
  },
});

/** The maximum number of collections in a view: one transaction of at most 100 writes changes all references. */
const MAX_COLLECTIONS = 16;

function requireFewCollections(conditions: readonly Condition[]): void {
  const named = conditions.flatMap(referencesOf).filter(({ type }) => type === 'collections');
  if (new Set(named.map(({ id }) => id)).size <= MAX_COLLECTIONS) return;
  const detail = `A view names at most ${MAX_COLLECTIONS} collections.`;
  throw new Inconsistent([{ pointer: '/filter_params', code: 'too_many', detail }]);
}

const targets = {
  collection_id: { type: 'collections', kind: 'collection' },
  language_id: { type: 'languages', kind: 'language' },
} as const;

function referencesOf({ field, value }: Condition, at: number): Reference[] {
  if (field !== 'collection_id' && field !== 'language_id') return [];
  const pointer = `/filter_params/${at}/value`;
  if (typeof value === 'string') return [{ pointer, ...targets[field], id: value }];
  return value.map((id, nth) => ({ pointer: `${pointer}/${nth}`, ...targets[field], id }));
}
