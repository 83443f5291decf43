/** The HTTP API: one function for each resource of the contract, one route for each path. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type ResourceName, resourceNames } from '../../contract/index.ts';
import type { ApiAddress } from '../data/api-address.ts';
import { filledIn } from '../data/protection.ts';
import type { Environment } from '../environments.ts';
import { machineVariable } from '../jobs/machine-references.ts';
import { kebabCase, pascalCase } from '../shared/case.ts';
import { KinoraFunction } from '../shared/function.ts';
import type { Resources } from '../shared/permissions.ts';
import { readOnce } from '../shared/read-once.ts';
import { type ApiSettings, apiSettings, fallbackSettings, referenceSettings } from './functions.ts';
import { HttpApi, serverErrors } from './http-api.ts';
import { referenceRoutes } from './reference.ts';
import { Rollout } from './rollout.ts';
import { routes } from './routes.ts';

export interface ApiStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: Resources;
  readonly address: ApiAddress;
  /** Origin of the documentation site. The types of problems link to it. */
  readonly siteUrl: string;
  /** State machines, by name of the definition. */
  readonly machines: Readonly<Record<string, IStateMachine>>;
}

/** Seconds. API Gateway gives up after 30. */
const TIMEOUT_S = 29;

export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const api = new HttpApi(this, 'HttpApi', props);
    this.api = api;
    const { environment } = props;
    const variables = this.sharedVariables(props);
    const rollout =
      environment.rollout === 'gradual' ? new Rollout(this, 'Rollout', environment, serverErrors) : undefined;
    const live = (handler: KinoraFunction) => rollout?.of(handler) ?? handler;
    for (const resource of resourceNames) {
      const handler = this.handler(logicalIdOf(resource), resource, apiSettings[resource], variables, props);
      api.route(
        logicalIdOf(resource),
        live(handler),
        routes.filter((route) => route.resource === resource),
      );
    }
    const reference = this.handler('Reference', 'the API reference', referenceSettings, variables, props);
    api.publicRoute('Reference', live(reference), referenceRoutes);
    const fallback = this.handler('Fallback', 'what is no route', fallbackSettings, variables, props);
    api.fallback('Fallback', live(fallback));
    api.publish();
    new CfnOutput(this, 'ApiUrl', { value: variables.API_URL! });
  }

  /**
   * Environment variables of every function. If CloudFront stands before the API, its name and secret are weak
   * references.
   */
  private sharedVariables({ address, siteUrl }: ApiStackProps): Readonly<Record<string, string>> {
    const { url, edgeSecretArn } = address;
    if (edgeSecretArn === undefined) return { API_URL: url, SITE_URL: siteUrl };
    const arn = readOnce(
      this,
      'EdgeSecretArn',
      'Kinora: the secret between CloudFront and the API',
      edgeSecretArn,
    );
    return {
      API_URL: readOnce(this, 'ApiOrigin', 'Kinora: where the API answers', url),
      EDGE_SECRET: filledIn(arn),
      SITE_URL: siteUrl,
    };
  }

  private handler(
    id: string,
    subject: string,
    settings: ApiSettings,
    shared: Readonly<Record<string, string>>,
    { environment, resources, machines }: ApiStackProps,
  ): KinoraFunction {
    const started = (settings.starts ?? []).map((name) => [name, arnOf(name, machines)] as const);
    const starting = new PolicyStatement({
      actions: ['states:StartExecution'],
      resources: started.map(([, arn]) => arn),
    });
    return new KinoraFunction(this, id, {
      environment,
      resources,
      description: `Answers requests on ${subject}`,
      memory: environment.apiMemory,
      timeout: TIMEOUT_S,
      permissions: settings.permissions,
      statements: started.length === 0 ? [] : [starting],
      variables: {
        ...shared,
        ...Object.fromEntries(started.map(([name, arn]) => [machineVariable(name), arn])),
      },
    });
  }
}

function arnOf(name: string, machines: ApiStackProps['machines']): string {
  const machine = machines[name];
  if (machine !== undefined) return machine.stateMachineArn;
  throw new Error(
    `lib/api/functions.ts starts the state machine ${name}, which has no file in state-machines/`,
  );
}

/** `assets` → `Assets`, `wordLists` → `WordLists`. */
export function logicalIdOf(resource: ResourceName): string {
  return pascalCase(kebabCase(resource));
}
