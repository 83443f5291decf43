/** The durable resources: tables with their encryption key, media, the key for secrets of tenants, and the address of the API. */
import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { TableName } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';
import type { Resources } from '../shared/permissions.ts';
import { type ApiAddress, apiAddress } from './api-address.ts';
import { backup } from './backup.ts';
import { keepMediaPolicies, mediaBucket } from './media-bucket.ts';
import { Tables } from './tables.ts';

interface DataStackProps extends StackProps {
  readonly environment: Environment;
  readonly webAclArn?: string;
}

export class DataStack extends Stack {
  readonly resources: Resources;
  readonly api: ApiAddress;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    // Only the stack of the firewall is created before this one. It is in us-east-1, and other regions cannot use its exports.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const tables = new Tables(this, 'Tables', props);
    const media = mediaBucket(this, props.environment);
    this.api = apiAddress(this, props.environment, props.webAclArn);
    this.resources = {
      tables: tables.byName,
      authKey: tables.authKey,
      secretsKey: secretsKey(this, props.environment),
      media,
    };
    keepMediaPolicies(this, media);
    const { backup: copies } = props.environment;
    const { Core, Auth } = tables.byName;
    if (copies !== undefined)
      backup(this, props.environment, copies, [Core.tableArn, Auth.tableArn, media.bucketArn]);

    for (const name of Object.keys(tables.byName) as TableName[]) {
      new CfnOutput(this, `${name}Table`, { value: tables.byName[name].tableName });
    }
    new CfnOutput(this, 'MediaBucket', { value: media.bucketName });
    new CfnOutput(this, 'SecretsKeyArn', { value: this.resources.secretsKey.keyArn });
  }
}

/** Creates the key that encrypts the data keys of tenants' secrets: credentials of storages, passphrases of channels. */
function secretsKey(scope: Construct, environment: Environment): Key {
  const key = new Key(scope, 'SecretsKey', {
    description: `Kinora ${environment.name}: data keys of tenants' secrets`,
    enableKeyRotation: true,
    removalPolicy: environment.removal,
  });
  key.addToResourcePolicy(onlyInAContext());
  return stableId(key, 'SecretsKey');
}

/** The actions on the key that have an encryption context (KMS Developer Guide, "Encryption context"). */
const uses = [
  ...['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext'],
  ...['kms:GenerateDataKeyPair', 'kms:GenerateDataKeyPairWithoutPlaintext'],
  ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
];

/**
 * Requires an encryption context for every use of the key: a tenant, or a purpose of the operator (`voice-cloning`). Even
 * administrators must state it, so CloudTrail records it for every use.
 */
const onlyInAContext = () =>
  new PolicyStatement({
    sid: 'OnlyForATenantOrAPurpose',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: uses,
    resources: ['*'],
    conditions: { Null: { 'kms:EncryptionContext:tenant': 'true', 'kms:EncryptionContext:purpose': 'true' } },
  });
