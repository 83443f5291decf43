/**
 * New versions of the API's functions take a tenth of the requests for five minutes, then all; where requests fail
 * meanwhile, CodeDeploy puts the versions before back and the deployment rolls back with them.
 */
import { Duration, Validations } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type CfnDeploymentGroup,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import type { KinoraFunction } from '../shared/function.ts';
import { Lanes } from '../shared/lanes.ts';
import { stableId } from '../shared/logical-id.ts';
import { counted } from '../shared/metrics.ts';

/** Server errors in a minute that undo a deployment. */
const ERRORS = 5;

/**
 * Groups that are made at a time: CodeDeploy throttled fifteen that came at once with a configuration each
 * (https://github.com/aws/aws-cdk/issues/21516). Aliases do not wait for each other: all of them shift in the same five minutes. An account has
 * 1,300 deployments at once, a group one (CodeDeploy User Guide, "CodeDeploy quotas"); four at a time would take 40 minutes.
 */
const LANES = 4;

export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #alarm: Alarm;
  readonly #role: Role;
  readonly #lanes = new Lanes(LANES);

  /** @param serverErrors name of the metric that counts what no request should be answered */
  constructor(scope: Construct, id: string, environment: Environment, serverErrors: string) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = roleOf(this);
    this.#alarm = stableId(
      new Alarm(this, 'Alarm', {
        alarmName: `kinora-${environment.name}-ApiRolloutAlarm`,
        alarmDescription:
          'Requests fail while a new version of the API takes over: CodeDeploy undoes it. What to do: docs/runbooks.md#api-availability',
        metric: counted(environment, serverErrors).with({ period: Duration.minutes(1) }),
        threshold: ERRORS,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
      'ApiRolloutAlarm',
    );
  }

  /** What requests are sent to instead of the function. */
  of(handler: KinoraFunction): IFunction {
    const { id } = handler.node;
    const version = handler.currentVersion as IVersion;
    const alias = new Alias(this, `${id}Live`, { aliasName: 'live', version });
    const group = new LambdaDeploymentGroup(this, `${id}Group`, {
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [this.#alarm],
    });
    this.#lanes.add(group.node.defaultChild as CfnDeploymentGroup);
    return stableId(alias, `${id}Live`) as IFunction;
  }
}

/** One role for all of them: each would make its own. */
function roleOf(scope: Construct): Role {
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason:
      'What CodeDeploy needs to shift aliases is its own to say, and the least of the policies that AWS has for it.',
  });
  return role;
}
