/** The HTTP API: one function for each resource of the contract, one route for each path. */
import { CfnOutput, Stack, type StackProps, Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type ResourceName, resourceNames } from '../../contract/index.ts';
import type { ApiAddress } from '../data/api-address.ts';
import { filledIn } from '../data/protection.ts';
import type { Environment } from '../environments.ts';
import { machineVariable } from '../jobs/machine.ts';
import { KinoraFunction } from '../shared/function.ts';
import { kebabCase, pascalCase, stableId } from '../shared/names.ts';
import type { Resources } from '../shared/permissions.ts';
import {
  type ApiSettings,
  apiSettings,
  fallbackSettings,
  machinesOf,
  referenceSettings,
} from './functions.ts';
import { HttpApi, serverErrors } from './http-api.ts';
import { Rollout } from './rollout.ts';
import { referenceRoutes, routes } from './routes.ts';

interface ApiStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: Resources;
  readonly address: ApiAddress;
  /** The origin of the documentation site. The `type` of problems links to it. */
  readonly siteUrl: string;
  /** The state machines, by the name of their definition. */
  readonly machines: Readonly<Record<string, IStateMachine>>;
}

/** Time-out of a function, seconds. The limit of API Gateway is 30 seconds. */
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
      const settings = { ...apiSettings[resource], starts: machinesOf(resource) };
      const handler = this.handler(logicalIdOf(resource), {
        subject: resource,
        settings,
        shared: variables,
        props,
      });
      api.route(
        logicalIdOf(resource),
        live(handler),
        routes.filter((route) => route.resource === resource),
      );
    }
    const reference = this.handler('Reference', {
      subject: 'the API reference',
      settings: referenceSettings,
      shared: variables,
      props,
    });
    api.publicRoute('Reference', live(reference), referenceRoutes);
    const fallback = this.handler('Fallback', {
      subject: 'what is no route',
      settings: fallbackSettings,
      shared: variables,
      props,
    });
    api.fallback('Fallback', live(fallback));
    api.publish();
    new CfnOutput(this, 'ApiUrl', { value: variables.API_URL! });
  }

  /** The environment variables of every function. References to the host and the secret of a CloudFront distribution are weak. */
  private sharedVariables({
    address,
    siteUrl,
    environment,
  }: ApiStackProps): Readonly<Record<string, string>> {
    const { url, edgeSecretArn } = address;
    if (edgeSecretArn === undefined) return { API_URL: url, SITE_URL: siteUrl };
    const arn = readOnce(
      this,
      // A function gets a new version only if its text in the template changes. A new secret changes the text only through this id.
      `EdgeSecretArn${environment.protection?.generation || ''}`,
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
    {
      subject,
      settings: { starts = [], ...permissions },
      shared,
      props: { environment, resources, machines },
    }: {
      readonly subject: string;
      readonly settings: ApiSettings;
      readonly shared: Readonly<Record<string, string>>;
      readonly props: ApiStackProps;
    },
  ): KinoraFunction {
    const started = starts.map((name) => [name, arnOf(name, machines)] as const);
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
      permissions,
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
    `lib/api/functions.ts or contract/kit/job-kinds.ts names the state machine ${name}, which has no file in state-machines/`,
  );
}

/** `assets` → `Assets`, `wordLists` → `WordLists`. */
export function logicalIdOf(resource: ResourceName): string {
  return pascalCase(kebabCase(resource));
}

/**
 * Reads a weak reference to another stack once for each template. Each Fn::GetStackOutput calls DescribeStacks, which CloudFormation
 * throttles (https://github.com/aws/aws-cdk/issues/38010); the functions of the API would make 63 calls. A standard parameter of
 * Parameter Store costs nothing and holds 4 KB. Fn::GetAtt returns the value of the parameter, so resources that use the parameter
 * change with the value (CloudFormation Template Reference, "AWS::SSM::Parameter", and docs/decisions/0068-deployment-changes.md).
 * @param value not a secret, because parameters are readable. A value that is known at synthesis is returned unchanged.
 */
function readOnce(scope: Construct, id: string, description: string, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  return stableId(new CfnParameter(scope, id, { type: 'String', description, value }), id).attrValue;
}
