/** Synthesizes the site's stacks with the fixture of the edge tests, alone and with all other stacks. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type Environment, type EnvironmentSettings, environmentOf } from '../../lib/environments.ts';
import { type KinoraSite, kinora, kinoraData, kinoraOps, kinoraSite } from '../../lib/kinora.ts';
import { accessTokenSha256 } from '../../lib/site/placeholders.ts';
import { siteEnvironmentOf } from '../../toolchain/site-environment.ts';
import { makeFixture } from '../site/edge/fixture.ts';
import { cdkJson, type EnvironmentName, shipped, synthesize, type Template, templateOf } from './assembly.ts';
import { bundled } from './built.ts';

export const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';

/** Production with custom domains. */
export const named: EnvironmentSettings = {
  ...shipped.prod,
  api: {
    domain: {
      name: 'api.kinora.example',
      certificateArn: certificateArn.replace('us-east-1', 'eu-central-1'),
    },
  },
  site: {
    indexable: true,
    domain: { name: 'kinora.example', alternateNames: ['www.kinora.example'], certificateArn },
  },
};

export async function siteOf(name: string, settings: EnvironmentSettings): Promise<string> {
  const { baseUrl, apiUrl, alternateHosts, isPublic } = siteEnvironmentOf(environmentOf(name, settings));
  const host = new URL(baseUrl).host;
  const { folder } = await makeFixture(
    { baseUrl, apiUrl, host, alternateHosts, isPublic },
    { accessTokenSha256 },
  );
  return folder;
}

const apiUrl = 'https://api.kinora.example';

export const synthesizeSite = (name: string, siteFolder: string, settings: EnvironmentSettings): Template =>
  synthesizeSiteStacks(name, siteFolder, settings).Site!;

/** @returns templates by the part of their stack's name: `Site` and `SiteWatch-<region>` */
export function synthesizeSiteStacks(
  name: string,
  siteFolder: string,
  settings: EnvironmentSettings,
): Readonly<Record<string, Template>> {
  return templatesOf(name, settings, (app, environment) => {
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    kinoraSite(app, environment, apiUrl, siteFolder);
  });
}

/** All stacks of an environment by part, with the site. Equal settings are synthesized once. */
export async function everything(
  name: EnvironmentName,
  settings: Partial<EnvironmentSettings> = {},
): Promise<Readonly<Record<string, Template>>> {
  const key = JSON.stringify([name, settings]);
  const templates = synthesized.get(key) ?? (await everythingAnew(name, { ...shipped[name], ...settings }));
  synthesized.set(key, templates);
  return templates;
}

/** A site with a custom domain, and a protected API without one. */
export const guarded = () =>
  everything('dev', {
    site: { domain: { name: 'kinora.example', certificateArn } },
    protection: { requestsPerFiveMinutes: 2000 },
  });

const synthesized = new Map<string, Readonly<Record<string, Template>>>();

/** An environment with every setting that the environments of this repository leave out. All tests share one synthesis. */
export const protectedSettings = {
  protection: { requestsPerFiveMinutes: 2000 },
  alerts: { email: 'ops@kinora.example' },
  runbooksUrl: 'https://git.example/kinora/docs/runbooks.md',
} satisfies Partial<EnvironmentSettings>;

/**
 * All stacks of an environment with the settings of its file. Tests share two syntheses: the stacks without the site,
 * and the stacks of the site. References between the two are missing: the dashboard's site, and the origin of problem
 * types.
 */
export async function apart(name: EnvironmentName): Promise<Readonly<Record<string, Template>>> {
  const templates = separated.get(name) ?? {
    ...synthesize(name),
    ...synthesizeSiteStacks(name, await siteOf(name, shipped[name]), shipped[name]),
  };
  separated.set(name, templates);
  return templates;
}

const separated = new Map<string, Readonly<Record<string, Template>>>();

async function everythingAnew(name: string, settings: EnvironmentSettings) {
  bundled();
  const folder = settings.site?.elsewhere === undefined ? await siteOf(name, settings) : undefined;
  return templatesOf(name, settings, (app, environment) => {
    const data = kinoraData(app, environment);
    const site: Partial<KinoraSite> =
      folder === undefined ? {} : kinoraSite(app, environment, data.api.url, folder);
    kinoraOps(app, environment, { ...kinora(app, environment, data, site.site), ...site });
  });
}

function templatesOf(
  name: string,
  settings: EnvironmentSettings,
  fill: (app: App, environment: Environment) => void,
): Readonly<Record<string, Template>> {
  const app = new App({
    analyticsReporting: false,
    outdir: mkdtempSync(join(tmpdir(), 'kinora-site-synth-')),
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:disable-asset-staging': true,
    },
  });
  fill(app, environmentOf(name, settings));
  return Object.fromEntries(
    app.synth().stacks.map((stack) => [stack.stackName.replace(`Kinora-${name}-`, ''), templateOf(stack)]),
  );
}
