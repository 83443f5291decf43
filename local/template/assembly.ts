/** Reads the cloud assembly that `cdk synth` writes: its stacks and their templates. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Resource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
  Condition?: string;
};

/** The sections of a CloudFormation template that the local cloud reads. Values may contain intrinsic functions. */
export type Template = {
  Metadata?: Record<string, unknown>;
  Parameters?: Record<string, { Type: string; Default?: unknown }>;
  Mappings?: Record<string, Record<string, Record<string, unknown>>>;
  Conditions?: Record<string, unknown>;
  Resources?: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: unknown } }>;
};

/** A stack. Paths of assets in its template are relative to `directory`. */
export type Stack = { name: string; directory: string; template: Template };

type Artifact = {
  type: string;
  properties?: { templateFile?: string; stackName?: string; directoryName?: string };
};

/**
 * Returns the stacks of a cloud assembly whose name starts with `prefix`, including stages, in the order of the manifest. Throws if
 * the directory contains no assembly, or no such stack.
 */
export async function readAssembly(directory: string, prefix = ''): Promise<Stack[]> {
  const stacks = (await stacksOf(directory)).filter((stack) => stack.name.startsWith(prefix));
  if (stacks.length === 0) {
    throw new Error(`${directory} holds no stack whose name starts with "${prefix}"; run: npm run build`);
  }
  return stacks;
}

async function stacksOf(directory: string): Promise<Stack[]> {
  const manifest = (await readJson(join(directory, 'manifest.json'))) as {
    artifacts?: Record<string, Artifact>;
  };
  const stacks: Stack[] = [];
  for (const [id, { type, properties = {} }] of Object.entries(manifest.artifacts ?? {})) {
    if (type === 'aws:cloudformation:stack' && properties.templateFile) {
      const template = (await readJson(join(directory, properties.templateFile))) as Template;
      stacks.push({ name: properties.stackName ?? id, directory, template });
    }
    if (type === 'cdk:cloud-assembly' && properties.directoryName) {
      stacks.push(...(await stacksOf(join(directory, properties.directoryName))));
    }
  }
  return stacks;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`cannot read ${path}; run: npm run build`, { cause });
  }
}
