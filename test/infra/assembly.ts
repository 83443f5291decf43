/** Synthesizes an environment as `cdk synth` does and hands out its templates. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { type EnvironmentName, environmentFrom } from '../../lib/environments.ts';
import { kinora, kinoraOps } from '../../lib/kinora.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { bundled } from './built.ts';

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties have another shape in every type of resource
  readonly Properties: any;
  readonly Metadata?: Readonly<Record<string, string>>;
  readonly DeletionPolicy?: string;
}

export interface Template {
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

export type Part = 'Data' | 'Jobs' | 'Api' | 'Ops';
export type Templates = Readonly<Record<Part, Template>>;

const parts: Part[] = ['Data', 'Jobs', 'Api', 'Ops'];

export const cdkJson = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));

/** What was synthesized in this process, which runs all tests of the infrastructure. */
const synthesized = new Map<string, Templates>();

/** @param context as `-c key=value` would give it */
export function synthesize(env: EnvironmentName, context: Readonly<Record<string, unknown>> = {}): Templates {
  const key = JSON.stringify([env, context]);
  const templates = synthesized.get(key) ?? synthesizedAnew(env, context);
  synthesized.set(key, templates);
  return templates;
}

function synthesizedAnew(env: EnvironmentName, context: Readonly<Record<string, unknown>>): Templates {
  bundled();
  const outdir = mkdtempSync(join(tmpdir(), 'kinora-synth-'));
  const app = new App({
    analyticsReporting: false,
    outdir,
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      // No test of a template needs copies of the bundles.
      'aws:cdk:disable-asset-staging': true,
      'aws:cdk:enable-path-metadata': true,
      'aws:cdk:enable-asset-metadata': true,
      env,
      ...context,
    },
  });
  const environment = environmentFrom(app.node);
  kinoraOps(app, environment, kinora(app, environment));
  const assembly = app.synth();
  const templates = parts.map((part) => [part, assembly.getStackByName(`Kinora-${env}-${part}`).template]);
  rmSync(outdir, { recursive: true });
  return Object.fromEntries(templates) as Templates;
}

/** Resources of one type, with their logical ids. */
export function ofType(template: Template, type: string): [id: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}
