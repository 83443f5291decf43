/** The key that encrypts the data keys of tenants' secrets: credentials of storages, passphrases of channels. */
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/logical-id.ts';

export function secretsKey(scope: Construct, environment: Environment): Key {
  const key = new Key(scope, 'SecretsKey', {
    description: `Kinora ${environment.name}: data keys of tenants' secrets`,
    enableKeyRotation: true,
    removalPolicy: environment.removal,
  });
  key.addToResourcePolicy(onlyInAContext());
  return stableId(key, 'SecretsKey');
}

/** Uses of the key that take an encryption context (KMS Developer Guide, "Encryption context"). */
const uses = [
  ...['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext'],
  ...['kms:GenerateDataKeyPair', 'kms:GenerateDataKeyPairWithoutPlaintext'],
  ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
];

/**
 * Every use of the key names a tenant, or a purpose of the operator (`voice-cloning`), in its encryption context. This
 * holds for administrators too, so CloudTrail records it.
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
