/** The key above the data keys that encrypt what tenants entrust: credentials of storages, passphrases of channels. */
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
  return stableId(key, 'SecretsKey');
}
