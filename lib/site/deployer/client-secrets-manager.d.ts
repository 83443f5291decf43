/** Types of the part of the SDK that the deployer uses. Lambda's runtime has the package; this repository does not. */
declare module '@aws-sdk/client-secrets-manager' {
  export class GetSecretValueCommand {
    constructor(input: { SecretId: string });
  }
  export class SecretsManagerClient {
    send(command: GetSecretValueCommand): Promise<{ SecretString?: string }>;
  }
}
