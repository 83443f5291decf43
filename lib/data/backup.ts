/** Daily backups of tables and media, and their copies in a second region, by AWS Backup (docs/decisions/0079-second-region.md). */
import { ArnFormat, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { BackupSettings, Environment } from '../environments.ts';
import { globalName, stableId } from '../shared/names.ts';

/** The days for which backups stay in the environment's region. If they were fewer than 7, each backup would be a full one. */
const DAYS_HERE = 7;

/** The vault of the second region. Its name is fixed, because stacks of different regions cannot refer to each other. */
export class BackupStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { environment, ...props }: StackProps & { environment: Environment },
  ) {
    super(scope, id, props);
    vault(this, environment);
  }
}

/** Encrypted by the key that AWS manages for AWS Backup. A vault with backups cannot be deleted. */
function vault(scope: Construct, environment: Environment): CfnBackupVault {
  const made = new CfnBackupVault(scope, 'BackupVault', {
    backupVaultName: globalName(environment, 'backup'),
  });
  made.applyRemovalPolicy(environment.removal);
  return stableId(made, 'BackupVault');
}

/** @param resources the ARNs of the tables and of the media bucket */
export function backup(
  scope: Construct,
  environment: Environment,
  { region, keepDays }: BackupSettings,
  resources: string[],
): void {
  const here = vault(scope, environment);
  const copy = Stack.of(scope).formatArn({
    ...{ service: 'backup', region, resource: 'backup-vault', resourceName: here.backupVaultName },
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const rule = {
    ruleName: 'daily',
    targetBackupVault: here.ref,
    scheduleExpression: 'cron(0 2 * * ? *)',
    lifecycle: { deleteAfterDays: DAYS_HERE },
    copyActions: [{ destinationBackupVaultArn: copy, lifecycle: { deleteAfterDays: keepDays } }],
  };
  const backupPlanName = globalName(environment, 'backup');
  const plan = new CfnBackupPlan(scope, 'BackupPlan', {
    backupPlan: { backupPlanName, backupPlanRule: [rule] },
  });
  stableId(plan, 'BackupPlan');
  const iamRoleArn = role(scope).roleArn;
  const selection = new CfnBackupSelection(scope, 'BackupSelection', {
    backupPlanId: plan.ref,
    backupSelection: { selectionName: 'durable', iamRoleArn, resources },
  });
  stableId(selection, 'BackupSelection');
}

const policies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'AWSBackupServiceRolePolicyForS3Backup',
];

function role(scope: Construct): Role {
  const made = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  for (const name of policies)
    Validations.of(made).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
      reason: 'AWS maintains what AWS Backup needs for each kind of resource; only that service may use it.',
    });
  return stableId(made, 'BackupRole');
}
