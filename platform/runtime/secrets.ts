/** What encrypts secrets in this environment: KMS on AWS, a key of the machine locally. */
import { KMSClient } from '@aws-sdk/client-kms';
import { kmsDataKeys } from '../../engines/secrets/aws.ts';
import { Secrets } from '../../engines/secrets/index.ts';
import { localDataKeys } from '../../engines/secrets/local.ts';
import { environment } from './environment.ts';

let secrets: Secrets | undefined;

export function tenantSecrets(): Secrets {
  secrets ??= new Secrets(dataKeys());
  return secrets;
}

function dataKeys() {
  if (environment.localSecretKey !== undefined) return localDataKeys(environment.localSecretKey);
  return kmsDataKeys(new KMSClient({}), environment.secretsKey);
}
