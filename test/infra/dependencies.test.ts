import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';

/** The folders of this repository that each part may import, in addition to itself. */
const parts: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  shared: ['contract'],
  media: ['contract', 'shared'],
  engines: ['contract', 'shared', 'media', 'build/engines'],
  'platform/table': ['contract', 'shared'],
  'platform/objects': ['contract', 'shared'],
  'platform/state-machines': [],
  'platform/records': ['contract', 'shared', 'platform/table', 'platform/objects'],
  'platform/usage': ['contract', 'shared', 'platform/table', 'platform/records'],
  'platform/outbox': ['contract', 'shared', 'platform/table', 'platform/records', 'platform/state-machines'],
  'platform/jobs': ['contract', 'shared', 'platform/table', 'platform/outbox', 'platform/state-machines'],
  'platform/admission': [
    ...['contract', 'shared', 'platform/table', 'platform/records', 'platform/usage', 'platform/jobs'],
    'platform/state-machines',
  ],
  // The composition root. No other part of the platform imports engines.
  'platform/runtime': [
    ...[
      'contract',
      'shared',
      'media',
      'engines',
      'build/engines',
      'platform/table',
      'platform/objects',
      'platform/records',
    ],
    ...[
      'platform/state-machines',
      'platform/usage',
      'platform/outbox',
      'platform/jobs',
      'platform/admission',
    ],
  ],
  // Declarations of steps. lib and toolchain read them, and import the registry of engines only for its types.
  'platform/steps': ['contract', 'engines', 'build/engines'],
  // The content negotiation of the edge has no side effects.
  'platform/kernel': ['contract', 'build/contract', 'shared', 'edge', 'platform'],
  edge: [],
  // The declarations of engines give variables and policies. A test below makes sure that lib imports no engine itself.
  lib: ['contract', 'engines', 'environments', 'state-machines', 'platform/steps'],
  environments: ['lib'],
  // The local cloud serves the build. It imports no other part of the product.
  local: [],
  toolchain: ['contract', 'content', 'edge', 'engines', 'lib', 'local', 'platform', 'shared'],
};

/**
 * The subjects that each subject may import, lowest first. All subjects may import the contract, the engines and the
 * platform. A large subject has parts, which count as subjects. The large subject may import all of its parts.
 */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'sound-descriptions': [],
  subtitles: [],
  languages: [],
  assets: [],
  'transcripts/segmentation': ['subtitles'],
  'transcripts/lineage': ['assets', 'subtitles'],
  'transcripts/speakers': ['assets', 'transcripts/lineage'],
  'transcripts/quality': ['subtitles'],
  'transcripts/segments': [
    ...['assets', 'subtitles', 'transcripts/lineage', 'transcripts/quality', 'transcripts/segmentation'],
    'transcripts/speakers',
  ],
  'transcripts/files': [
    ...['assets', 'sound-descriptions', 'subtitles'],
    ...['transcripts/lineage', 'transcripts/quality', 'transcripts/speakers'],
  ],
  transcripts: ['assets', 'languages', 'sound-descriptions', 'subtitles'],
  collections: ['assets'],
  settings: ['assets', 'languages'],
  uploads: ['assets', 'settings'],
  analyses: ['assets', 'sound-descriptions', 'subtitles', 'transcripts'],
  branding: ['uploads'],
  translation: ['assets', 'languages', 'settings', 'subtitles', 'transcripts'],
  'voice-over': ['assets', 'languages', 'settings', 'transcripts', 'translation'],
  ingest: [
    ...['analyses', 'assets', 'languages', 'settings', 'sound-descriptions', 'subtitles', 'transcripts'],
    ...['translation', 'uploads', 'voice-over'],
  ],
  clips: ['analyses', 'assets', 'branding', 'sound-descriptions', 'subtitles', 'transcripts'],
  exports: ['analyses', 'assets', 'clips', 'transcripts'],
  publishing: ['assets', 'clips'],
  search: ['assets', 'transcripts'],
  channels: ['assets', 'collections', 'settings'],
  webhooks: [],
  usage: [],
  quotes: ['assets', 'clips', 'ingest', 'settings', 'transcripts', 'translation', 'voice-over'],
  jobs: ['assets', 'ingest'],
  reference: [],
  fallback: [],
  canary: [],
};

/** Subjects that call the API from outside, as its users do. */
const callers: readonly string[] = ['canary'];

/** The layers of a subject, lowest first. A layer may import itself and the layers before it. */
const layers = ['rules', 'records', 'actions'] as const;
/**
 * The top layers. They may import all layers of their subject. From other subjects they may import all layers except
 * these.
 */
const entries = ['api', 'steps'] as const;

const SDK_PLACES =
  /^platform\/(?:table|objects|state-machines|records|admission|runtime)\/|^shared\/aws-services\.ts$|^engines\/(?:[^/]+\/)?aws[^/]*\.ts$|^engines\/aws\//;

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const importsOf = (source: string) =>
  [...source.matchAll(STATEMENT)].map(([, fixed, dynamic]) => (fixed ?? dynamic)!);

function filesOf(part: string): string[] {
  return readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Imports of files of this repository, as paths from the root. */
function ownImports(file: string): string[] {
  return importsOf(read(file))
    .filter((path) => path.startsWith('.'))
    .map((path) =>
      relative(root, join(root, dirname(file), path))
        .split(sep)
        .join('/'),
    );
}

const isIn = (file: string, places: readonly string[]) =>
  places.some((place) => file.startsWith(`${place}/`));

const straysOf = (part: string, places: readonly string[]) =>
  filesOf(part).flatMap((file) =>
    ownImports(file)
      .filter((path) => !isIn(path, [part, ...places]))
      .map((path) => `${file} imports ${path}`),
  );

const isLayer = (name: string) => ([...layers, ...entries] as readonly string[]).includes(name);

/**
 * The subject and the layer of a file: `assets` and `rules` of `lambdas/assets/rules.ts` and `lambdas/assets/rules/facets.ts`,
 * `transcripts/speakers` and `rules` of `lambdas/transcripts/speakers/rules/speakers.ts`.
 */
function homeOf(file: string): { readonly subject: string; readonly layer: string | undefined } {
  const names = file.replace(/\.ts$/, '').split('/').slice(1);
  const at = names.findIndex(isLayer);
  return { subject: names.slice(0, at).join('/'), layer: names[at] };
}

describe('the imports', () => {
  it.each(Object.entries(parts))('in %s are only from %j', (part, others) => {
    expect(straysOf(part, others)).toEqual([]);
  });

  it.each(Object.entries(subjects))('of the subject %s are only from the subjects %j', (subject, others) => {
    const client = callers.includes(subject) ? ['client'] : [];
    const places = [
      ...['contract', 'build/contract', 'shared', 'media', 'engines', 'platform', ...client],
      ...others.map((other) => `lambdas/${other}`),
    ];
    expect(straysOf(`lambdas/${subject}`, places)).toEqual([]);
  });

  it('between subjects have no cycle, and the table names every subject', () => {
    const known = Object.keys(subjects);
    expect(readdirSync(join(root, 'lambdas')).filter((name) => !known.includes(name))).toEqual([]);
    for (const [at, subject] of known.entries())
      expect(subjects[subject]!.filter((other) => known.indexOf(other) >= at)).toEqual([]);
  });

  it('within a subject go from api and steps to actions, records and rules', () => {
    const strays = filesOf('lambdas').flatMap((file) => {
      const { subject, layer } = homeOf(file);
      if (layer === undefined) return [`${file} is in no layer`];
      const height = (layers as readonly string[]).indexOf(layer);
      const reachable: readonly string[] = height < 0 ? [...layers, layer] : layers.slice(0, height + 1);
      return ownImports(file)
        .filter((path) => path.startsWith('lambdas/'))
        .filter((path) => {
          const other = homeOf(path);
          const isOurs = other.subject === subject;
          const allowed = isOurs ? reachable : reachable.filter((name) => name !== 'api' && name !== 'steps');
          return other.layer === undefined || !allowed.includes(other.layer);
        })
        .map((path) => `${file} imports ${path}`);
    });
    expect(strays).toEqual([]);
  });

  it('in lib and toolchain use only the declarations of engines', () => {
    const declared = ['declarations', 'engine', 'prices', 'provider-quotas', 'registry', 'selection'].map(
      (name) => `engines/${name}.ts`,
    );
    const strays = ['lib', 'toolchain']
      .flatMap(filesOf)
      .flatMap((file) =>
        ownImports(file).filter((path) => isIn(path, ['engines']) && !declared.includes(path)),
      );
    expect(strays).toEqual([]);
  });

  it('of contract resources are only types, so that no schema is in a bundle', () => {
    const strays = ['lambdas', 'platform', 'engines', 'media', 'shared']
      .flatMap(filesOf)
      .filter((file) =>
        /^import (?!type)[^;]*contract\/(?:resources\/|index|kit\/routes)[^;]*;/m.test(
          read(file).replaceAll('build/contract/', ''),
        ),
      );
    expect(strays).toEqual([]);
  });

  it('have no cycle, not even of types', () => {
    const all = ['bin', 'client', 'content', 'lambdas', 'scripts', ...Object.keys(parts)];
    const files = new Set(all.flatMap(filesOf));
    const graph = new Map(
      [...files].map((file) => [file, ownImports(file).filter((path) => files.has(path))]),
    );
    expect(circlesIn(graph)).toEqual([]);
  });

  it('of the AWS SDK are only in the store, the engines of AWS, and the runtime', () => {
    const strays = ['lambdas', 'platform', 'engines', 'media', 'shared']
      .flatMap(filesOf)
      .filter(
        (file) =>
          !SDK_PLACES.test(file) && importsOf(read(file)).some((path) => /^@(aws-sdk|smithy)\//.test(path)),
      );
    expect(strays).toEqual([]);
  });

  it('show that only the runtime reads environment variables', () => {
    const strays = ['lambdas', 'platform', 'engines', 'media', 'shared']
      .flatMap(filesOf)
      .filter((file) => !file.startsWith('platform/runtime/') && /\bprocess\.env\b/.test(read(file)));
    expect(strays).toEqual([]);
  });
});

/** One path for each circle: `a → b → a`. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) found.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

describe('the functions of this test', () => {
  it.each([
    ["import { a } from './a.ts';", ['./a.ts']],
    ["import type { A } from './a.ts';", ['./a.ts']],
    ["import './a.ts';", ['./a.ts']],
    ["export * from './a.ts';", ['./a.ts']],
    ["import {\n  a,\n  b,\n} from './a.ts';\nconst from = 'x';", ['./a.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["const text = 'import nothing from here';", []],
  ])('find the imports in %j', (source, expected) => {
    expect(importsOf(source)).toEqual(expected);
  });

  it('find cycles', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
      ['d', ['a']],
    ]);
    expect(circlesIn(graph)).toEqual(['b → c → b']);
  });
});
