/** The token that opens a private site. The first deployment creates it, as a secret of its own. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { stableId } from '../shared/logical-id.ts';

/** Letters and digits of the token: 190 bits, without characters that a cookie must escape. */
const TOKEN_LENGTH = 32;

export function accessSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'AccessToken', {
    description: 'Opens the documentation site of an environment that is not public',
    generateSecretString: { passwordLength: TOKEN_LENGTH, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'Readers keep the token in a cookie; another one is made by replacing the secret and deploying.',
  });
  return stableId(secret, 'SiteAccessToken');
}
