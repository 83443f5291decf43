/** Parsers of stored data. They are plain functions, so that no Lambda contains a schema library. */
import { type AssetId, asAssetId, asJobId, asTenantId, type JobId, type TenantId } from './ids.ts';

/** Returns the value as `T`, or throws `UnreadableData`. `at` is the path of the value: `jobs[2].status`. */
export type Parser<T> = (value: unknown, at?: string) => T;
export type Parsed<P> = P extends Parser<infer T> ? T : never;

/** Thrown if stored data does not have the shape that this version reads. Contains the path, never the value. */
export class UnreadableData extends Error {
  constructor(at: string, expected: string) {
    super(`Stored data cannot be read: ${at || 'the value'} must be ${expected}.`);
    this.name = 'UnreadableData';
  }
}

const parserOf =
  <T>(expected: string, is: (value: unknown) => value is T): Parser<T> =>
  (value, at = '') => {
    if (is(value)) return value;
    throw new UnreadableData(at, expected);
  };

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = parserOf('a string', (value) => typeof value === 'string');
export const number = parserOf('a number', (value) => typeof value === 'number');
export const boolean = parserOf('a boolean', (value) => typeof value === 'boolean');
export const bytes = parserOf('bytes', (value) => value instanceof Uint8Array);
export const textSet = parserOf(
  'a set of strings',
  (value): value is ReadonlySet<string> => value instanceof Set,
);

export const tenantId: Parser<TenantId> = (value, at) => asTenantId(text(value, at));
export const assetId: Parser<AssetId> = (value, at) => asAssetId(text(value, at));
export const jobId: Parser<JobId> = (value, at) => asJobId(text(value, at));

export const oneOf = <const Values extends readonly string[]>(...values: Values): Parser<Values[number]> =>
  parserOf(values.join(' or '), (value): value is Values[number] => values.includes(value as string));

export const nullable =
  <T>(parse: Parser<T>): Parser<T | null> =>
  (value, at) =>
    value === null ? null : parse(value, at);

/** A member that may be absent. */
export const optional =
  <T>(parse: Parser<T>): Parser<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : parse(value, at);

/** A member that earlier versions did not store. */
export const orElse =
  <T>(parse: Parser<T>, fallback: T): Parser<T> =>
  (value, at) =>
    value === undefined ? fallback : parse(value, at);

export const list =
  <T>(parse: Parser<T>): Parser<readonly T[]> =>
  (value, at = '') => {
    if (!Array.isArray(value)) throw new UnreadableData(at, 'a list');
    return value.map((item, index) => parse(item, `${at}[${index}]`));
  };

export const recordOf =
  <T>(parse: Parser<T>): Parser<Readonly<Record<string, T>>> =>
  (value, at = '') =>
    Object.fromEntries(
      Object.entries(object(value, at)).map(([name, one]) => [name, parse(one, under(at, name))]),
    );

type Optional<Members> = { [K in keyof Members]: undefined extends Members[K] ? K : never }[keyof Members];
type Shape<Members> = Flat<
  { readonly [K in Exclude<keyof Members, Optional<Members>>]: Members[K] } & {
    readonly [K in Optional<Members>]?: Exclude<Members[K], undefined>;
  }
>;
/** The same members as one object type, which is easier to read in errors and editors. */
type Flat<T> = { [K in keyof T]: T[K] };

/** An object with these members. Other members are left out. */
export const shape =
  <Members extends Readonly<Record<string, Parser<unknown>>>>(
    members: Members,
  ): Parser<Shape<{ [K in keyof Members]: Parsed<Members[K]> }>> =>
  (value, at = '') => {
    const found = object(value, at);
    const parsed = Object.entries(members).map(([name, parse]) => [
      name,
      parse(found[name], under(at, name)),
    ]);
    return Object.fromEntries(parsed.filter(([, member]) => member !== undefined)) as never;
  };

/** Checks the members that the code relies on and keeps all others, so that no field is listed a second time. */
export const checked =
  <T>(members: { readonly [K in keyof T]?: Parser<T[K]> }): Parser<T> =>
  (value, at = '') => {
    const found = object(value, at);
    for (const [name, parse] of Object.entries<Parser<unknown> | undefined>(members))
      parse?.(found[name], under(at, name));
    return found as T;
  };

/** JSON text or its UTF-8 bytes. Throws `UnreadableData` also if the text is not JSON. */
export function parseJson<T>(parse: Parser<T>, json: string | Uint8Array): T {
  const source = typeof json === 'string' ? json : Buffer.from(json).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new UnreadableData('', 'JSON');
  }
  return parse(value);
}

/** Called for an entry that failed, with its key. The other entries are still processed. */
export type EntryFailed = (entry: string, error: unknown) => void;

/** Returns the readable entries. Reports and skips unreadable entries, so that they do not prevent the processing of all. */
export function readableOf<Stored, Entry>(
  stored: readonly Stored[],
  keyOf: (entry: Stored) => string,
  parse: (entry: Stored) => Entry,
  failed: EntryFailed,
): Entry[] {
  return stored.flatMap((entry) => {
    try {
      return [parse(entry)];
    } catch (error) {
      failed(keyOf(entry), error);
      return [];
    }
  });
}

const object = parserOf('an object', isObject);
const under = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
