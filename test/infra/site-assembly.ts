/** Synthesizes the site's stack around the fixture of the edge tests. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type EnvironmentName, environmentFrom } from '../../lib/environments.ts';
import { kinoraSite } from '../../lib/kinora.ts';
import { makeFixture } from '../site/edge/fixture.ts';
import { cdkJson, type Template } from './assembly.ts';

export const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';

/** The site of an environment, built for its address. */
export async function siteOf(name: EnvironmentName): Promise<string> {
  const { siteUrl } = environmentFrom(new App({ context: { env: name } }).node);
  const { folder } = await makeFixture({
    ...{ baseUrl: siteUrl, host: new URL(siteUrl).host, isPublic: name !== 'preview' },
    alternateHosts: name === 'prod' ? ['www.kinora.example'] : [],
  });
  return folder;
}

/** @param context as `-c key=value` would give it */
export function synthesizeSite(
  env: EnvironmentName,
  siteFolder: string,
  context: Readonly<Record<string, unknown>> = {},
): Template {
  return synthesizeSiteStacks(env, siteFolder, context).Site!;
}

/** @returns templates by the part that their stack is, `Site` and perhaps `SiteAlarms` */
export function synthesizeSiteStacks(
  env: EnvironmentName,
  siteFolder: string,
  context: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, Template>> {
  const app = new App({
    analyticsReporting: false,
    outdir: mkdtempSync(join(tmpdir(), 'kinora-site-synth-')),
    context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], env, ...context },
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  kinoraSite(app, environmentFrom(app.node), siteFolder);
  const { stacks } = app.synth();
  return Object.fromEntries(
    stacks.map(({ stackName, template }) => [stackName.replace(`Kinora-${env}-`, ''), template]),
  );
}
