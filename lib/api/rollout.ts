/**
 * Gradual rollout: a new version of the API gets a tenth of the requests for five minutes, and then all. If requests fail in this
 * time, CodeDeploy restores the previous versions and the deployment rolls back.
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
import { counted } from '../shared/metrics.ts';
import { stableId } from '../shared/names.ts';

/** The number of server errors in a minute that stops a deployment. */
const ERRORS = 5;

/**
 * The number of deployment groups that CloudFormation creates at the same time. CodeDeploy throttled the creation of fifteen groups
 * with their own configurations (https://github.com/aws/aws-cdk/issues/21516). A group does not wait for the rollout of another group:
 * all aliases shift in the same five minutes. An account may run 1,300 deployments at once (CodeDeploy User Guide, "CodeDeploy
 * quotas").
 */
const LANES = 4;

/** Returns the fixed name of the alarm. OpsStack uses this name, because the topic does not exist when the alarm is created. */
export const rolloutAlarmOf = ({ name }: Pick<Environment, 'name'>): string =>
  `kinora-${name}-ApiRolloutAlarm`;

export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #alarm: Alarm;
  readonly #role: Role;
  readonly #lanes = new Lanes(LANES);

  /** @param serverErrors the name of the metric that counts server errors */
  constructor(scope: Construct, id: string, environment: Environment, serverErrors: string) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = roleOf(this);
    this.#alarm = stableId(
      new Alarm(this, 'Alarm', {
        alarmName: rolloutAlarmOf(environment),
        alarmDescription:
          'Requests fail during the rollout of a new version of the API. CodeDeploy restores the previous version. See docs/runbooks.md#api-availability',
        metric: counted(environment, serverErrors).with({ period: Duration.minutes(1) }),
        threshold: ERRORS,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
      'ApiRolloutAlarm',
    );
  }

  /** Returns the alias that receives the requests for the function. */
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

/** Creates one role for all deployment groups. By default, each group would have its own. */
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
      'AWS maintains the permissions that CodeDeploy needs to shift aliases; this is its smallest policy.',
  });
  return role;
}
