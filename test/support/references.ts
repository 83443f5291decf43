/** The places where requests refer to a tenant's resources: paths, queries and bodies. */
import type { OperationSpec } from '../../contract/kit/operation.ts';

/** A kind of resource, named by its path: `/v1/templates/{template_id}`. */
export type Kind = string;

export interface Reference {
  /** The path to the member: `['segments', 0, 'speaker_id']`. */
  readonly at: readonly (string | number)[];
  readonly kind: Kind;
  /** Converts an id to the value at this place. Default: the id itself. */
  readonly write?: (id: string) => unknown;
}

const asset = '/v1/assets/{asset_id}';
export const languages: Kind = '/v1/languages/{language_id}';
/** The language of media. It must be one that the current engines understand. */
export const spokenLanguage: Kind = 'language that is spoken';
/** Languages belong to no tenant. */
export const everybodys: readonly Kind[] = [languages, spokenLanguage];
const clip: Kind = '/v1/branding_clips/{clip_id}';
export const segment: Kind = `${asset}/transcriptions/{transcription_id}/segments/{segment_id}`;
/** The two next segments, which can be joined. No path leads to them alone. */
export const joinable: readonly [Kind, Kind] = ['second segment', 'third segment'];
/** The segment that another segment translates. No path leads to it alone. */
export const originalSegment: Kind = 'original segment';

/** The kind that a member of this name refers to, in every body and query. */
const kinds: Readonly<Record<string, Kind>> = {
  asset_id: asset,
  asset_ids: asset,
  template_id: '/v1/templates/{template_id}',
  template_ids: '/v1/templates/{template_id}',
  collection_id: '/v1/collections/{collection_id}',
  view_id: '/v1/views/{view_id}',
  speaker_id: `${asset}/speakers/{speaker_id}`,
  id: segment,
  segment_id: segment,
  segment_ids: segment,
  original_segment_id: originalSegment,
  video_ids: `${asset}/video_clips/{video_id}`,
  branding_id: '/v1/brandings/{branding_id}',
  subtitle_style_id: '/v1/branding_subtitle_styles/{style_id}',
  overlay_id: '/v1/branding_overlays/{overlay_id}',
  intro_id: clip,
  outro_id: clip,
  domain_dictionary_ids: '/v1/dictionaries/{dictionary_id}',
  blacklist_ids: '/v1/blacklists/{blacklist_id}',
  whitelist_ids: '/v1/whitelists/{whitelist_id}',
  external_storage_id: '/v1/external_storages/{external_storage_id}',
  event_ids: '/v1/events/{event_id}',
  language_id: spokenLanguage,
  language_ids: languages,
  subtitles_language_id: languages,
  translation_language_ids: languages,
  voice_over_language_ids: languages,
};

/** Ids that mark a position in a list. Their owner makes no difference. */
const positions = new Set(['after']);

/** References that the schema declares as text or not at all, by operation. */
const condition: Reference = {
  at: ['filter_params', 0],
  kind: '/v1/collections/{collection_id}',
  write: (value) => ({ field: 'collection_id', op: 'eq', value }),
};
const hidden: Readonly<Record<string, readonly Reference[]>> = {
  mergeSegments: joinable.map((kind, at) => ({ at: ['segment_ids', at], kind })),
  createView: [condition],
  updateView: [condition],
};

export const bodyReferences = (spec: OperationSpec): Reference[] => [
  ...referencesIn(spec.body, []),
  ...(hidden[spec.id] ?? []),
];

export const queryReferences = (spec: OperationSpec): Reference[] => referencesIn(spec.query, []);

/** The kinds of a path's placeholders, in order. `video_id` and `video_clip_id` are one kind. */
export function pathReferences(path: string): { name: string; kind: Kind }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1]!,
    kind: path.slice(0, match.index + match[0].length).replace('{video_clip_id}', '{video_id}'),
  }));
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function referencesIn(schema: unknown, at: readonly (string | number)[]): Reference[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { format, anyOf = [], properties = {}, items } = schema as Schema;
  const member = at.findLast((part): part is string => typeof part === 'string');
  const isText = [(schema as Schema).type].flat().includes('string');
  if (member !== undefined && positions.has(member)) return [];
  if (isText && member !== undefined && (format === 'uuid' || member in kinds)) {
    const kind = kinds[member];
    if (kind === undefined) throw new Error(`Say in test/support/references.ts what ${member} refers to.`);
    return [{ at, kind }];
  }
  return [
    ...anyOf.flatMap((branch) => referencesIn(branch, at)),
    ...Object.entries(properties).flatMap(([name, property]) => referencesIn(property, [...at, name])),
    ...referencesIn(items, [...at, 0]),
  ];
}

export function withReference(value: unknown, { at, write }: Reference, id: string): unknown {
  const [next, ...rest] = at;
  if (next === undefined) return write === undefined ? id : write(id);
  const copy: Record<string | number, unknown> | unknown[] =
    typeof next === 'number' ? [...((value as unknown[]) ?? [])] : { ...(value as object) };
  const inner = { at: rest, kind: '', ...(write !== undefined && { write }) };
  (copy as Record<string | number, unknown>)[next] = withReference(
    (value as Record<string | number, unknown> | undefined)?.[next],
    inner,
    id,
  );
  return copy;
}

export const isPresent = (value: unknown, { at }: Reference): boolean =>
  at.reduce((inner, part) => (inner as Record<string | number, unknown> | undefined)?.[part], value) !==
  undefined;
