/** What a synthesis made: the stacks that are deployed, where, and how many resources each has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOf, type Target } from './target.ts';

export interface SynthesizedStack {
  readonly part: string;
  readonly name: string;
  readonly region: string;
  readonly resources: number;
}

interface Artifact {
  readonly type: string;
  readonly environment?: string;
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
  };
}

/** @param folder a cloud assembly; https://docs.aws.amazon.com/cdk/v2/guide/deploy.html, "cloud assembly" */
export function stacksIn(folder: string, target: Target): SynthesizedStack[] {
  const { artifacts } = readJson(join(folder, 'manifest.json')) as {
    artifacts: Readonly<Record<string, Artifact>>;
  };
  return Object.entries(artifacts).flatMap(([id, { type, environment = '', properties = {} }]) => {
    if (type !== 'aws:cloudformation:stack') return [];
    // aws://123456789012/eu-central-1
    const region = environment.split('/').at(-1)!;
    const name = properties.stackName ?? id;
    const part = partOf(target, region, name);
    if (part === null) return [];
    const { Resources } = readJson(join(folder, properties.templateFile!)) as { Resources: object };
    return { part, name, region, resources: Object.keys(Resources).length };
  });
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
