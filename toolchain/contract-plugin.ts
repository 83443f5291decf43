/**
 * Replaces the contract's modules by their compiled form wherever Lambda code imports them: the facts of each
 * operation and its validators, made ahead of time by ajv, so that no schema library ships.
 *
 * A handler's `import * as contract from '…/contract/resources/assets.ts'` therefore never loads that file: bundles and
 * vitest give it what `compileResource` writes. The type checker alone reads the file itself, so that the handler is
 * typed by schemas that it does not have when it runs. See docs/architecture.md.
 */
import { registerHooks } from 'node:module';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import type { TSchema } from 'typebox';
import { operationsOf, resourceNames } from '../contract/index.ts';
import type { CompiledOperation, OperationSpec } from '../contract/kit/operation.ts';
import { routes } from '../contract/kit/routes.ts';
import { kebabCase } from '../lib/jobs/definitions.ts';
import { bounded, withFewErrors } from './bounded-validators.ts';
import { root } from './bundle/paths.ts';
import { addNormalisingKeywords, normalising } from './normalising-keywords.ts';

const resourcesFolder = join(root, 'contract', 'resources');
/** Whose code ships: handlers, and the kernel that they stand on. */
const shippedFolders = ['lambdas', 'platform', 'shared'].map((folder) => join(root, folder, sep));

/** Formats as plain expressions: ajv inlines those, where ajv-formats would bring its whole module. */
export const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  // RFC 3339 §5.6, with a zone; leap seconds are not accepted.
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
};

type Part = 'params' | 'query' | 'body';
const parts: Part[] = ['params', 'query', 'body'];

/** An ajv for bodies (strict types) or for parameters, which arrive as strings and are coerced. */
function compilerFor(part: Part): Ajv2020 {
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    allErrors: true,
    useDefaults: true,
    coerceTypes: part !== 'body',
    strict: true,
    strictTypes: false,
    formats,
  });
  addNormalisingKeywords(ajv);
  return ajv;
}

/** Names of schemas serve the OpenAPI document; to ajv they would be base URIs. */
export function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== 'examples')
      .map(([key, value]) => [key, withoutNames(value)]),
  );
}

function validatorModule(operations: OperationSpec[], part: Part): string {
  const ajv = compilerFor(part);
  const names = operations.filter((spec) => spec[part] !== undefined).map((spec) => spec.id);
  if (names.length === 0) return '';
  for (const spec of operations) {
    const schema = spec[part] as TSchema | undefined;
    if (schema === undefined) continue;
    const isCreation = part === 'body' && spec.method === 'POST';
    ajv.addSchema(bounded(normalising(withoutNames(schema), isCreation)) as object, spec.id);
  }
  const generate = standalone as unknown as (ajv: Ajv2020, names: Record<string, string>) => string;
  return withFewErrors(generate(ajv, Object.fromEntries(names.map((name) => [`${name}_${part}`, name]))));
}

function facts(spec: OperationSpec): Omit<CompiledOperation, 'validators'> {
  return {
    id: spec.id,
    method: spec.method,
    path: spec.path,
    scope: spec.scope,
    bodyOptional: spec.bodyOptional ?? false,
    statuses: Object.keys(spec.responses).map(Number),
    ...(spec.planned !== undefined && { planned: spec.planned }),
    ...(spec.configuration !== undefined && { configuration: spec.configuration }),
  };
}

/** Source of the compiled form of one resource, and of the validator modules that it imports. */
export async function compileResource(file: string): Promise<Record<Part | 'index', string>> {
  const specs = operationsOf(await import(pathToFileURL(file).href));
  const lines = specs.map((spec) => {
    const validators = parts
      .filter((part) => spec[part] !== undefined)
      .map((part) => `${part}: ${part}.${spec.id}_${part}`);
    return `export const ${spec.id} = { ...${JSON.stringify(facts(spec))}, validators: { ${validators.join(', ')} } };`;
  });
  const used = parts.filter((part) => specs.some((spec) => spec[part] !== undefined));
  const imports = used.map((part) => `import * as ${part} from ${JSON.stringify(`${file}?${part}`)};`);
  return {
    index: [...imports, ...lines].join('\n'),
    params: validatorModule(specs, 'params'),
    query: validatorModule(specs, 'query'),
    body: validatorModule(specs, 'body'),
  };
}

const routesFile = join(root, 'contract', 'kit', 'routes.ts');
const routesModule = `export const routes = ${JSON.stringify(routes)};`;

/** `wordLists` of the contract's list is `word-lists.ts`. */
const resourceFiles = new Set(resourceNames.map((name) => `${kebabCase(name)}.ts`));
const isResource = (file: string) => dirname(file) === resourcesFolder && resourceFiles.has(basename(file));

/** The esbuild plugin. Each resource is compiled once a build. */
export function contractPlugin(): Plugin {
  const compiled = new Map<string, ReturnType<typeof compileResource>>();
  const resource = (file: string) => {
    if (!compiled.has(file)) compiled.set(file, compileResource(file));
    return compiled.get(file)!;
  };
  return {
    name: 'contract',
    setup(build) {
      build.onResolve({ filter: /\.ts\?(params|query|body)$/ }, (args) => {
        const [file, part] = args.path.split('?') as [string, Part];
        return { path: file, namespace: 'validators', suffix: `?${part}` };
      });
      build.onLoad({ filter: /./, namespace: 'validators' }, async (args) => ({
        contents: (await resource(args.path))[args.suffix.slice(1) as Part],
        loader: 'js',
        resolveDir: root,
      }));
      build.onLoad({ filter: /[\\/]contract[\\/](?:kit|resources)[\\/][a-z-]+\.ts$/ }, async (args) => {
        if (args.path === routesFile) return { contents: routesModule, loader: 'js' };
        if (!isResource(args.path)) return undefined;
        return { contents: (await resource(args.path)).index, loader: 'js', resolveDir: root };
      });
    },
  };
}

/** The same replacement for vitest, so that tests of handlers run what ships. Tests still see the contract itself. */
export function contractVitePlugin() {
  return {
    name: 'contract',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined) {
      if (importer === undefined || !shippedFolders.some((folder) => importer.startsWith(folder)))
        return undefined;
      const file = resolve(dirname(importer), source);
      return file === routesFile || isResource(file) ? `${file}?compiled` : undefined;
    },
    async load(id: string) {
      const [file, part] = id.split('?') as [string, Part | 'compiled' | undefined];
      if (part === undefined) return undefined;
      if (file === routesFile) return routesModule;
      if (!isResource(file)) return undefined;
      const compiled = await compileResource(file);
      return part === 'compiled' ? compiled.index : compiled[part];
    },
  };
}

/** What ajv writes requires its runtime, which bundlers resolve. */
const requiring = `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});\n`;

/**
 * The same replacement for this process, so that a program that is not bundled runs what ships. Handlers are to be imported
 * afterwards.
 */
export async function registerContract(): Promise<void> {
  const modules = new Map([[`${routesFile}?compiled`, routesModule]]);
  for (const name of resourceFiles) {
    const file = join(resourcesFolder, name);
    const { index, ...validators } = await compileResource(file);
    modules.set(`${file}?compiled`, index);
    for (const part of parts) modules.set(`${file}?${part}`, requiring + validators[part]);
  }
  const addressOf = (id: string) => {
    const [file, query] = id.split('?');
    return `${pathToFileURL(file!).href}?${query}`;
  };
  const sources = new Map([...modules].map(([id, source]) => [addressOf(id), source]));
  registerHooks({
    resolve(specifier, context, next) {
      const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : '';
      const isShipped = shippedFolders.some((folder) => importer.startsWith(folder));
      // A compiled resource names its validators by their absolute path.
      const named = specifier.includes('?') ? specifier : `${resolve(dirname(importer), specifier)}?compiled`;
      const url = isAbsolute(specifier) || isShipped ? addressOf(named) : '';
      return sources.has(url) ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}
