/** Makes updates that set attributes. Names become placeholders, since many are reserved words. */
import type { Key, Update, Values } from './table.ts';

export interface ChangeTerms {
  /** An attribute that rises by one with the change. */
  readonly raises?: string;
  /** `#version = :seen`: attributes as `#name`, values as `:name`. */
  readonly condition?: string;
  readonly values?: Values;
}

/** The update of an item that sets these attributes. */
export function buildUpdate(key: Key, set: Values, { raises, condition, values }: ChangeTerms = {}): Update {
  const fields = Object.entries(set);
  const assignments = fields.map(([name]) => `#${name} = :set_${name}`).join(', ');
  const expression = `SET ${assignments}${raises === undefined ? '' : ` ADD #${raises} :one`}`;
  const mentioned = `${expression} ${condition ?? ''}`.match(/#\w+/g) ?? [];
  return {
    key,
    expression,
    // DynamoDB refuses names that no expression uses.
    names: Object.fromEntries(mentioned.map((name) => [name, name.slice(1)])),
    values: {
      ...Object.fromEntries(fields.map(([name, value]) => [`set_${name}`, value])),
      ...values,
      ...(raises !== undefined && { one: 1 }),
    },
    ...(condition !== undefined && { condition }),
  };
}
