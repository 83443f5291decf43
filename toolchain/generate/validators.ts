/** Generates validators of requests, as source of modules that need no schema library. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { addBoundedKeywords, bounded } from './bounded-errors.ts';
import { addNormalizingKeywords, normalizing, onlyDecimals } from './normalizing-keywords.ts';

export type Part = 'params' | 'query' | 'body';
export const parts: readonly Part[] = ['params', 'query', 'body'];

/** Formats as regular expressions, which ajv inlines. The ajv-formats package would be in every bundle as a whole. */
export const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  // RFC 3339 §5.6, with a time zone. Rejects leap seconds, and days that their month does not have.
  'date-time':
    /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
};

/** Returns an ajv that checks the types of bodies, and converts parameters, which arrive as strings. */
function compilerOf(part: Part): Ajv2020 {
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    allErrors: true,
    useDefaults: true,
    coerceTypes: part !== 'body',
    strict: true,
    strictTypes: false,
    formats,
  });
  addNormalizingKeywords(ajv);
  addBoundedKeywords(ajv);
  return ajv;
}

/** Returns the schema without examples and `$id`, a name for the OpenAPI document that ajv would read as a base URI. */
export function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== 'examples')
      .map(([key, value]) => [key, withoutNames(value)]),
  );
}

export function validatorModule(operations: readonly OperationSpec[], part: Part): string {
  const ajv = compilerOf(part);
  for (const spec of operations) {
    const isCreation = part === 'body' && spec.method === 'POST';
    if (spec[part] === undefined) continue;
    ajv.addSchema(
      bounded(normalizing(withNumbers(part, withoutNames(spec[part])), isCreation)) as object,
      spec.id,
    );
  }
  const ids = operations.filter((spec) => spec[part] !== undefined).map(({ id }) => id);
  return sourceOf(ajv, Object.fromEntries(ids.map((id) => [id, id])));
}

const withNumbers = (part: Part, schema: unknown): unknown =>
  part === 'body' ? schema : onlyDecimals(schema as object);

/** @param exported maps each validator's name to the id of its schema */
function sourceOf(ajv: Ajv2020, exported: Readonly<Record<string, string>>): string {
  // The package sets `module.exports`, but its types do not describe this.
  const generate = standalone as unknown as (ajv: Ajv2020, exported: object) => string;
  return Object.keys(exported).length === 0 ? '' : generate(ajv, exported);
}
