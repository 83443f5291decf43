/**
 * Filters of asset lists, from the query or from a view. Each condition becomes a group of index facets. An asset
 * must have at least one facet of every group. Conditions on times become a range of ids.
 */
import { isInCalendar } from '../../../shared/calendar.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { idAt } from '../../../shared/derived-ids.ts';
import { type Finding, Problem } from '../../../shared/problems.ts';
import { type AssetFilters, facet } from './facets.ts';

export type FilterField = keyof AssetFilters | 'created_at';

export interface Condition {
  readonly field: FilterField;
  readonly op: 'eq' | 'in' | 'all' | 'gte' | 'lte';
  /** A string for eq, gte and lte. A list for in and all. */
  readonly value: string | readonly string[];
}

export interface Plan {
  readonly groups: readonly (readonly string[])[];
  /** The lowest and the highest id of the range, both inclusive. */
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** The maximum number of index partitions that one list reads in parallel. */
const MAX_FACETS = 100;

const listFilters = new Set<keyof AssetFilters>(['entities', 'speakers']);
const fields = [
  'collection_id',
  'entities',
  'sentiment',
  'classification',
  'speakers',
  'language_id',
] as const satisfies (keyof AssetFilters)[];

/** The conditions of the query parameters. A comma-separated parameter requires all of its values. */
export function conditionsOf(filters: AssetFilters): Condition[] {
  return fields.flatMap((field): Condition[] => {
    const given = filters[field];
    if (given === undefined) return [];
    if (!listFilters.has(field)) return [{ field, op: 'eq', value: given }];
    const value = given.split(',').filter((part) => part.trim() !== '');
    if (value.length > 0) return [{ field, op: 'all', value }];
    if (given === '') return [];
    throw new Problem('invalid_parameter', `${field} has no value.`, {
      findings: [{ parameter: field, code: 'invalid_format', detail: `${field} must not be only commas.` }],
    });
  });
}

/** The facets and the range of ids to read for these conditions. Throws if there are too many partitions. */
export function planOf(conditions: readonly Condition[]): Plan {
  const distinct = new Map(conditions.flatMap(groupsOf).map((group) => [group.join('\n'), group]));
  const groups = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  if (groups.flat().length > MAX_FACETS) throw new Problem('invalid_parameter', tooMany);
  return { groups: groups.length === 0 ? [['all']] : groups, ...rangeOf(conditions) };
}

const tooMany = `The filters have more than ${MAX_FACETS} values in total. Use fewer values.`;

export const planKey = ({ groups, first, last }: Plan): string[] => [
  ...groups.map((group) => group.join('|')),
  `${first ?? ''}..${last ?? ''}`,
];

function groupsOf({ field, op, value }: Condition): string[][] {
  if (field === 'created_at') return [];
  const facets = [...new Set(listOf(value).map((one) => facet(field, one)))].sort();
  return op === 'in' ? [facets] : facets.map((one) => [one]);
}

function rangeOf(conditions: readonly Condition[]): Omit<Plan, 'groups'> {
  const times = (op: Condition['op']) =>
    conditions
      .filter((condition) => condition.field === 'created_at' && condition.op === op)
      .map(({ value }) => Date.parse(String(value)));
  const from = times('gte');
  const to = times('lte');
  return {
    ...(from.length > 0 && { first: idAt(Math.max(...from), '0') }),
    ...(to.length > 0 && { last: idAt(Math.min(...to), 'f') }),
  };
}

const listOf = (value: Condition['value']): readonly string[] =>
  typeof value === 'string' ? [value] : value;

const sentiments = ['Negative', 'Neutral', 'Positive'];

/** Throws validation_failed if an operator or a value does not fit. Does not check that ids exist. */
export function requireSoundConditions(conditions: readonly Condition[]): void {
  const findings = conditions.flatMap(faultsOf);
  if (conditions.flatMap(groupsOf).flat().length > MAX_FACETS) {
    findings.push({ pointer: '/filter_params', code: 'too_many', detail: tooMany });
  }
  if (findings.length > 0) throw new Problem('validation_failed', itemAt(findings, 0).detail, { findings });
}

function faultsOf({ field, op, value }: Condition, at: number): Finding[] {
  const pointer = `/filter_params/${at}`;
  const isTime = field === 'created_at';
  const compares = op === 'gte' || op === 'lte';
  if (isTime !== compares) {
    const fitting = isTime ? 'gte and lte' : 'eq, in and all';
    return [{ pointer: `${pointer}/op`, code: 'not_allowed', detail: `${field} takes ${fitting}.` }];
  }
  const wantsList = op === 'in' || op === 'all';
  if (wantsList !== (typeof value !== 'string')) {
    const wanted = wantsList ? 'a list of texts' : 'one text';
    return [{ pointer: `${pointer}/value`, code: 'wrong_type', detail: `${op} takes ${wanted}.` }];
  }
  return listOf(value).flatMap((one, nth) => {
    const problem = valueProblem(field, one);
    const place = wantsList ? `${pointer}/value/${nth}` : `${pointer}/value`;
    return problem === null ? [] : [{ pointer: place, code: 'invalid_format', detail: problem }];
  });
}

function valueProblem(field: FilterField, value: string): string | null {
  if (field === 'sentiment') {
    return sentiments.includes(value) ? null : `sentiment must be one of ${sentiments.join(', ')}.`;
  }
  if (field !== 'created_at') return value.trim() === '' ? `${field} must not be empty.` : null;
  const isTime = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isTime) return 'created_at must be a date-time with a time zone.';
  return isInCalendar(value) ? null : 'created_at is a date that does not exist.';
}
