/** Synthesizes an environment as `cdk synth` does, and returns its templates. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import dev from '../../environments/dev.ts';
import preview from '../../environments/preview.ts';
import prod from '../../environments/prod.ts';
import { type EnvironmentSettings, environmentOf } from '../../lib/environments.ts';
import { kinora, kinoraData, kinoraOps } from '../../lib/kinora.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { bundled } from './built.ts';

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties have another shape in every type of resource
  readonly Properties: any;
  readonly Metadata?: Readonly<Record<string, string>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

export interface Template {
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>
  >;
}

export type Part = 'Data' | 'Jobs' | 'Api' | 'Ops';
export type Templates = Readonly<Record<Part, Template>>;

const parts: Part[] = ['Data', 'Jobs', 'Api', 'Ops'];

export const cdkJson = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));

export const shipped = { dev, preview, prod } satisfies Record<string, EnvironmentSettings>;
export type EnvironmentName = keyof typeof shipped;

/** The assemblies of this process, which runs all tests of the infrastructure. */
const synthesized = new Map<string, Templates>();

/**
 * The stacks without the site, as the local cloud uses them.
 * @param settings replace those of the environment's file
 */
export function synthesize(env: EnvironmentName, settings: Partial<EnvironmentSettings> = {}): Templates {
  const key = JSON.stringify([env, settings]);
  const templates = synthesized.get(key) ?? synthesizedAnew(env, settings);
  synthesized.set(key, templates);
  return templates;
}

function synthesizedAnew(env: EnvironmentName, settings: Partial<EnvironmentSettings>): Templates {
  const environment = environmentOf(env, { ...shipped[env], ...settings });
  bundled();
  const outdir = mkdtempSync(join(tmpdir(), 'kinora-synth-'));
  const app = new App({
    analyticsReporting: false,
    outdir,
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      // Tests of templates need no copies of the bundles.
      'aws:cdk:disable-asset-staging': true,
      'aws:cdk:enable-path-metadata': true,
      'aws:cdk:enable-asset-metadata': true,
    },
  });
  kinoraOps(app, environment, kinora(app, environment, kinoraData(app, environment)));
  const assembly = app.synth();
  const templates = parts.map((part) => [part, templateOf(assembly.getStackByName(`Kinora-${env}-${part}`))]);
  rmSync(outdir, { recursive: true });
  return Object.fromEntries(templates) as Templates;
}

const tags = new WeakMap<Template, Readonly<Record<string, string>>>();

/** The template of a stack. The assembly's tags of the stack are remembered with it. */
export function templateOf(stack: CloudFormationStackArtifact): Template {
  const template = stack.template as Template;
  tags.set(template, stack.tags);
  return template;
}

/** The tags of the template's stack. CloudFormation adds them to every resource that can have tags. */
export const stackTagsOf = (template: Template): Readonly<Record<string, string>> => tags.get(template) ?? {};

export function ofType(template: Template, type: string): [id: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}
