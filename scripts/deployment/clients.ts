/** Clients of the AWS services that deploy, delete and check an environment in one region. */
import { ACMClient } from '@aws-sdk/client-acm';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { defined } from '../../shared/checked-access.ts';

export interface Aws {
  readonly region: string;
  readonly acm: ACMClient;
  readonly cloudFormation: CloudFormationClient;
  readonly dynamoDb: DynamoDBClient;
  readonly kms: KMSClient;
  readonly lambda: LambdaClient;
  readonly logs: CloudWatchLogsClient;
  readonly quotas: ServiceQuotasClient;
  readonly s3: S3Client;
  readonly sts: STSClient;
  readonly tags: ResourceGroupsTaggingAPIClient;
}

/** The number of attempts of each call, with longer and longer waits. CloudFormation and the Tagging API allow few calls a second. */
const ATTEMPTS = 8;

export function awsIn(region: string): Aws {
  const options = { region, maxAttempts: ATTEMPTS };
  return {
    region,
    acm: new ACMClient(options),
    cloudFormation: new CloudFormationClient(options),
    dynamoDb: new DynamoDBClient(options),
    kms: new KMSClient(options),
    lambda: new LambdaClient(options),
    logs: new CloudWatchLogsClient(options),
    quotas: new ServiceQuotasClient(options),
    s3: new S3Client(options),
    sts: new STSClient(options),
    tags: new ResourceGroupsTaggingAPIClient(options),
  };
}

export async function accountOf({ sts }: Aws): Promise<string> {
  return defined((await sts.send(new GetCallerIdentityCommand({}))).Account);
}

export async function listed<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(itemsOf(page) ?? []));
  return items;
}
