/** Types of the parts of the SDK that the deployer uses. The packages are in Lambda's runtime, but not in this repository. */
declare module '@aws-sdk/client-cloudfront' {
  export class CreateInvalidationCommand {
    constructor(input: {
      DistributionId: string;
      InvalidationBatch: { CallerReference: string; Paths: { Quantity: number; Items: string[] } };
    });
  }
  export class CloudFrontClient {
    send(command: CreateInvalidationCommand): Promise<{ Invalidation?: { Id?: string } }>;
  }
}

declare module '@aws-sdk/client-secrets-manager' {
  export class GetSecretValueCommand {
    constructor(input: { SecretId: string });
  }
  export class SecretsManagerClient {
    send(command: GetSecretValueCommand): Promise<{ SecretString?: string }>;
  }
}
