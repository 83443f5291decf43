/** Types of the part of the SDK that the deployer uses. Lambda's runtime has the package; this repository does not. */
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
