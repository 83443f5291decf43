/** The stacks of one environment, and the checks that each of them must pass. */
import { type App, type StackProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ApiStack } from './api/api-stack.ts';
import { BackupStack } from './data/backup.ts';
import { DataStack } from './data/data-stack.ts';
import { FirewallStack } from './data/firewall-stack.ts';
import type { Environment } from './environments.ts';
import { JobsStack } from './jobs/jobs-stack.ts';
import { OpsStack } from './ops/ops-stack.ts';
import { localSettings } from './shared/engines.ts';
import { siteOriginOf } from './site/placeholders.ts';
import { SiteStack } from './site/site-stack.ts';
import { SiteWatchStack } from './site/site-watch-stack.ts';

export interface Kinora {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
}

/** Makes the data stack. It comes first, because all other stacks refer to it. */
export function kinoraData(app: App, environment: Environment): DataStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { backup } = environment;
  if (backup !== undefined) {
    const props = stackProps(environment);
    new BackupStack(app, stackName(environment, `Backup-${environment.region}`), {
      ...{ ...props, env: { ...props.env, region: backup.region }, environment },
      description: 'Kinora: copies of backups',
    });
  }
  return new DataStack(app, stackName(environment, 'Data'), {
    environment,
    ...stackProps(environment),
    description: 'Kinora: tables, media and the address of the API',
    ...firewall(app, environment),
  });
}

function firewall(app: App, environment: Environment): { webAclArn?: string } {
  const { protection, region } = environment;
  if (protection === undefined) return {};
  // The name of this stack contains the region, because the firewalls of the APIs in all regions are in us-east-1.
  const { webAcl } = new FirewallStack(app, stackName(environment, `Firewall-${region}`), {
    ...{ environment, protection, ...stackProps(environment) },
    description: 'Kinora: the firewall of the API',
  });
  return { webAclArn: webAcl.attrArn };
}

/** Creates the stacks of jobs and the API. Api refers to Jobs and Site, and both refer to Data. */
export function kinora(app: App, environment: Environment, data: DataStack, site?: SiteStack): Kinora {
  const props = { environment, ...stackProps(environment) };
  const jobs = new JobsStack(app, stackName(environment, 'Jobs'), {
    ...props,
    description: 'Kinora: state machines and their steps',
    resources: data.resources,
    apiUrl: data.api.url,
  });
  jobs.templateOptions.metadata = { 'kinora:local-settings': localSettings() };
  const api = new ApiStack(app, stackName(environment, 'Api'), {
    ...props,
    description: 'Kinora: the HTTP API',
    resources: data.resources,
    address: data.api,
    machines: jobs.machines,
    // If the environment has no site, the local cloud sets the address of its own site.
    siteUrl: environment.site.elsewhere ?? site?.url ?? siteOriginOf(environment),
  });
  return { data, jobs, api };
}

export interface KinoraSite {
  readonly site: SiteStack;
  readonly siteWatch: SiteWatchStack;
}

/**
 * Creates the stacks of the site and of its alarms. The alarms of the sites in all regions are in us-east-1, so the name of their
 * stack contains the region.
 * @param apiUrl the origin of the API, which pages show
 * @param siteFolder default: `build/site/<env>`
 */
export function kinoraSite(
  app: App,
  environment: Environment,
  apiUrl: string,
  siteFolder?: string,
): KinoraSite {
  const props = { environment, ...stackProps(environment) };
  const site = new SiteStack(app, stackName(environment, 'Site'), {
    ...props,
    description: 'Kinora: the documentation site',
    apiUrl,
    ...(siteFolder !== undefined && { siteFolder }),
  });
  const siteWatch = new SiteWatchStack(app, stackName(environment, `SiteWatch-${environment.region}`), {
    ...props,
    description: 'Kinora: alarms and access log of the documentation site',
    site,
  });
  return { site, siteWatch };
}

export function kinoraOps(
  app: App,
  environment: Environment,
  watched: Kinora & Partial<KinoraSite>,
): OpsStack {
  return new OpsStack(app, stackName(environment, 'Ops'), {
    environment,
    ...stackProps(environment),
    description: 'Kinora: the dashboard',
    ...watched,
  });
}

const stackName = ({ name }: Environment, part: string) => `Kinora-${name}-${part}`;

function stackProps({ name, account, region, deletionProtection }: Environment): StackProps {
  return {
    env: { ...(account && { account }), region },
    tags: { product: 'kinora', environment: name },
    terminationProtection: deletionProtection,
  };
}
