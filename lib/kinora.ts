/** The stacks of one environment, and the rules that every one of them must pass. */
import { type App, type StackProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ApiStack } from './api/api-stack.ts';
import { DataStack } from './data/data-stack.ts';
import type { Environment } from './environments.ts';
import { JobsStack } from './jobs/jobs-stack.ts';
import { SiteStack } from './site/site-stack.ts';

export interface Kinora {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
}

/** Data ← Jobs ← Api. */
export function kinora(app: App, environment: Environment): Kinora {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stack = (part: string) => `Kinora-${environment.name}-${part}`;
  const props = { environment, ...stackProps(environment) };
  const data = new DataStack(app, stack('Data'), { ...props, description: 'Kinora: tables and media' });
  const jobs = new JobsStack(app, stack('Jobs'), {
    ...props,
    description: 'Kinora: state machines and their steps',
    resources: data.resources,
  });
  const api = new ApiStack(app, stack('Api'), {
    ...props,
    description: 'Kinora: the HTTP API',
    resources: data.resources,
    machines: jobs.machines,
  });
  return { data, jobs, api };
}

/** Stands by itself: another origin, other users, another rhythm of releases. */
export function kinoraSite(app: App, environment: Environment): SiteStack {
  return new SiteStack(app, `Kinora-${environment.name}-Site`, {
    environment,
    ...stackProps(environment),
    description: 'Kinora: the documentation site',
  });
}

function stackProps({ name, account, region, deletionProtection }: Environment): StackProps {
  return {
    env: { ...(account && { account }), ...(region && { region }) },
    tags: { product: 'kinora', environment: name },
    terminationProtection: deletionProtection,
  };
}
