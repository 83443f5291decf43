/** The stacks of one environment, and the rules that every one of them must pass. */
import { type App, type StackProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ApiStack } from './api/api-stack.ts';
import { DataStack } from './data/data-stack.ts';
import type { Environment } from './environments.ts';
import { JobsStack } from './jobs/jobs-stack.ts';
import { OpsStack } from './ops/ops-stack.ts';
import { localSettings } from './shared/engines.ts';
import { SiteAlarmsStack } from './site/site-alarms-stack.ts';
import { SiteStack } from './site/site-stack.ts';

export interface Kinora {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
}

/** Data ← Jobs ← Api. */
export function kinora(app: App, given: Environment): Kinora {
  // A machine of its own has a line of its own, of its processors: local/lambda/line.ts.
  const isLocal = app.node.tryGetContext('local') === true;
  const unbounded = { ...given.quotas, lambdaConcurrency: Number.POSITIVE_INFINITY };
  const environment = isLocal ? { ...given, quotas: unbounded } : given;
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const props = { environment, ...stackProps(environment) };
  const data = new DataStack(app, stackName(environment, 'Data'), {
    ...props,
    description: 'Kinora: tables and media',
  });
  const jobs = new JobsStack(app, stackName(environment, 'Jobs'), {
    ...props,
    description: 'Kinora: state machines and their steps',
    resources: data.resources,
  });
  jobs.templateOptions.metadata = { 'kinora:local-settings': localSettings() };
  const api = new ApiStack(app, stackName(environment, 'Api'), {
    ...props,
    description: 'Kinora: the HTTP API',
    resources: data.resources,
    machines: jobs.machines,
  });
  return { data, jobs, api };
}

export interface KinoraSite {
  readonly site: SiteStack;
  readonly siteAlarms?: SiteAlarmsStack;
}

/**
 * Stands by itself: another origin, other users, another rhythm of releases. Its alarms lie in us-east-1 and refer to
 * it from there, which takes a region that is named; without one they are left out.
 * @param siteFolder `build/site/<env>` when absent
 */
export function kinoraSite(app: App, environment: Environment, siteFolder?: string): KinoraSite {
  const props = { environment, ...stackProps(environment) };
  const site = new SiteStack(app, stackName(environment, 'Site'), {
    ...props,
    description: 'Kinora: the documentation site',
    ...(siteFolder !== undefined && { siteFolder }),
  });
  if (environment.region === undefined) return { site };
  const siteAlarms = new SiteAlarmsStack(app, stackName(environment, 'SiteAlarms'), {
    ...props,
    description: 'Kinora: alarms of the documentation site',
    site,
  });
  return { site, siteAlarms };
}

/** Watches all the others. */
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
    env: { ...(account && { account }), ...(region && { region }) },
    tags: { product: 'kinora', environment: name },
    terminationProtection: deletionProtection,
  };
}
