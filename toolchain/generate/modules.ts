/**
 * The generated modules. The modules of `build/contract` and `build/engines` contain data and validators, but not the
 * schemas and engines from which they are made.
 */
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { operationsOf, resources } from '../../contract/index.ts';
import type { CompiledOperation, OperationSpec } from '../../contract/kit/operation.ts';
import { routes } from '../../contract/kit/routes.ts';
import { declarations } from '../../engines/declarations.ts';
import { root } from '../bundle/paths.ts';
import { clientSource } from '../client/source.ts';
import { type Part, parts, validatorModule } from './validators.ts';

/** Text of each generated file, by its path from the root of the repository. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const operations = new Map(
    Object.entries(resources).map(([name, module]) => [fileName(name), operationsOf(module)]),
  );
  const files = await compiledModules(operations);
  for (const [name, specs] of operations)
    files.set(`build/contract/${name}.d.ts`, declarationsOf(name, specs));
  files.set('build/contract/routes.js', `export const routes = ${JSON.stringify(routes)};\n`);
  files.set('build/contract/routes.d.ts', "export { routes } from '../../contract/kit/routes.ts';\n");
  files.set(
    'build/engines/declarations.js',
    `export const declarations = ${JSON.stringify(declarations)};\n`,
  );
  files.set(
    'build/engines/declarations.d.ts',
    "export { type Capability, declarations } from '../../engines/declarations.ts';\n",
  );
  files.set('client/operations.ts', clientSource());
  return files;
}

/** Converts names: `wordLists` → `word-lists`. */
const fileName = (resource: string) => resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type Operations = ReadonlyMap<string, readonly OperationSpec[]>;

/** Returns the types of a module. They come from the contract, so that the compiler checks handlers against its schemas. */
function declarationsOf(name: string, specs: readonly OperationSpec[]): string {
  const lines = specs.map((spec) => {
    const planned = spec.planned === undefined ? '' : ' & { readonly planned: string }';
    const configured =
      spec.configuration === undefined ? '' : ' & { readonly configuration: ConfigurationFacts }';
    return `export declare const ${spec.id}: CompiledOperation<typeof contract.${spec.id}>${planned}${configured};`;
  });
  return [
    "import type { CompiledOperation, ConfigurationFacts } from '../../contract/kit/operation.ts';",
    `import type * as contract from '../../contract/resources/${name}.ts';`,
    ...lines,
    '',
  ].join('\n');
}

/** Makes one module for each resource, with only the functions of ajv's runtime that it needs. */
async function compiledModules(operations: Operations): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [...operations.keys()],
    outdir: join(root, 'build', 'contract'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    write: false,
    logLevel: 'warning',
    plugins: [fromMemory(operations)],
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(root.length + 1), text]));
}

/** An esbuild plugin that resolves the module of a resource, `assets`, and of its validators, `assets?body`. */
function fromMemory(operations: Operations): Plugin {
  return {
    name: 'contract',
    setup(plugin) {
      plugin.onResolve({ filter: /^[a-z-]+(?:\?[a-z]+)?$/ }, ({ path }) =>
        operations.has(path.split('?')[0] ?? '') ? { path, namespace: 'contract' } : undefined,
      );
      plugin.onLoad({ filter: /./, namespace: 'contract' }, ({ path }) => {
        const [name, part] = path.split('?');
        const specs = operations.get(name ?? '') ?? [];
        const contents =
          part === undefined ? moduleOf(name ?? '', specs) : validatorModule(specs, part as Part);
        return { contents, loader: 'js', resolveDir: root };
      });
    },
  };
}

function moduleOf(name: string, specs: readonly OperationSpec[]): string {
  const used = parts.filter((part) => specs.some((spec) => spec[part] !== undefined));
  const imports = used.map((part) => `import * as ${part} from '${name}?${part}';`);
  const exported = specs.map((spec) => {
    const validators = parts.filter((part) => spec[part] !== undefined);
    const members = validators.map((part) => `${part}: ${part}.${spec.id}`);
    return `export const ${spec.id} = { ...${JSON.stringify(factsOf(spec))}, validators: { ${members.join(', ')} } };`;
  });
  return [...imports, ...exported].join('\n');
}

function factsOf(spec: OperationSpec): Omit<CompiledOperation, 'validators'> {
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
