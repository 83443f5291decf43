/** The token that opens a site that is not for everyone: made by its first deployment, kept beside it. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { stableId } from '../shared/logical-id.ts';

/** Letters and digits of the token: 190 bits, and nothing that a cookie would have to escape. */
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
