/** Which parts of ffmpeg the engines use, read from its sources, and which of them a build lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../toolchain/bundle/paths.ts';

export const kinds = ['encoders', 'decoders', 'filters', 'muxers', 'demuxers', 'protocols'] as const;
export type Kind = (typeof kinds)[number];
/** Names of parts, sorted. */
export type Parts = Readonly<Record<Kind, readonly string[]>>;

const engines = ['media', 'pictures', 'rendering'].map((name) => join(root, 'engines', name));

/** A text that stands in the source, or that a constant of the same file has. Values of a template are left out. */
const TEXT = /(?:'([^'\n]*)'|`([^`]*)`|(\w+)\b)/.source;
/** An option of ffmpeg as an element of an array, and the element after it. */
const option = (name: string) => new RegExp(`'-(?:${name})',\\s*${TEXT}`, 'g');

/** Filters that are joined: an option whose value is an array, and arrays that are called graphs. */
const FILTER_LIST = /(?:'-(?:af|vf)',|\bconst graph =)\s*\[([\s\S]*?)\](?:\.join|;)/g;

const readers: Readonly<Record<Kind, (source: string) => string[]>> = {
  encoders: (source) =>
    valuesOf(source, option('c|c:[avs]|codec|codec:[avs]')).filter((name) => name !== 'copy'),
  decoders: (source) => valuesOf(source, option('codec_whitelist')).flatMap(names),
  filters: (source) => [
    ...valuesOf(source, option('af|vf|filter:[av]|filter_complex|lavfi')).flatMap(filters),
    ...[...source.matchAll(FILTER_LIST)].flatMap(([, list]) => textsIn(list!)).flatMap(filters),
  ],
  // `-f` names what is read as well: `jpeg_pipe` and its like are only that.
  muxers: (source) => valuesOf(source, option('f')).filter((name) => !name.endsWith('_pipe')),
  demuxers: (source) =>
    [
      ...valuesOf(source, option('format_whitelist')),
      ...valuesOf(source, new RegExp(`\\bconst (?:containers|pictures) =\\s*${TEXT}`, 'g')),
    ].flatMap(names),
  protocols: (source) => valuesOf(source, option('protocol_whitelist')).flatMap(names),
};

export function partsInUse(): Parts {
  const sources = engines.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const used = kinds.map((kind) => [kind, [...new Set(sources.flatMap(readers[kind]))].sort()]);
  return Object.fromEntries(used) as Parts;
}

/**
 * @param list runs ffmpeg with this option and gives what it prints
 * @returns e.g. `filters: aresample`
 */
export function missingParts(parts: Parts, list: (option: string) => string): string[] {
  return kinds.flatMap((kind) => {
    const known = new Set(list(`-${kind}`).split('\n').flatMap(listed));
    return parts[kind].filter((name) => !known.has(name)).map((name) => `${kind}: ${name}`);
  });
}

/** ` D  mov,mp4,m4a  QuickTime / MOV`: flags, names, what it is; protocols stand alone. */
function listed(line: string): string[] {
  const [first = '', second] = line.trim().split(/\s+/);
  return (second ?? first).split(',');
}

/** What matches, constants of the same file replaced by their texts. */
function valuesOf(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].flatMap(([, quoted, template, name]) => {
    const text = quoted ?? template;
    if (text !== undefined) return [text];
    const constant = new RegExp(`\\bconst ${name} =\\s*${TEXT}`).exec(source);
    return constant ? [constant[1] ?? constant[2] ?? ''] : [];
  });
}

const textsIn = (source: string) =>
  [...source.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, quoted, template]) => quoted ?? template ?? '');

const names = (text: string) => text.split(',').filter(Boolean);

/** `[0:a]aresample=16000:async=1,scale=w='min(9,iw)';anull` → aresample, scale, anull. */
const filters = (graph: string) =>
  graph
    .replace(/\$\{[^}]*\}|\[[^\]]*\]|'[^']*'/g, '')
    .split(/[,;]/)
    .map((filter) => /^\s*(\w+)/.exec(filter)?.[1] ?? '')
    .filter(Boolean);
