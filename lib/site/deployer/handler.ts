/**
 * The custom resources of a deployment. SiteAccess runs before the edge functions, because they need the digest of the token.
 * SiteObjects runs before the functions change, or after them if the objects contain the domain that CloudFront assigns. SiteRelease
 * runs at the end.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { unpack } from '../archive.ts';
import { readBytes, siteBucket } from './bucket.ts';
import { empty, prune, uploadObjects } from './deployment.ts';
import { withFilled } from './filling.ts';

/** The event of CloudFormation for a custom resource. */
export interface DeploymentEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: DeploymentProperties;
}

export type DeploymentProperties =
  | {
      readonly Step: 'objects';
      readonly SiteBucket: string;
      readonly ArchiveBucket: string;
      readonly ArchiveKey: string;
      /** The values for the placeholders of the build. */
      readonly Filling: readonly { readonly Placeholder: string; readonly Value: string }[];
      /** Whether the objects are deleted with the stack: `true` or `false`. */
      readonly EmptyOnDelete: string;
    }
  | {
      readonly Step: 'release';
      readonly SiteBucket: string;
      readonly DistributionId: string;
      /** Changes with every change of the site. */
      readonly Release: string;
    }
  | {
      readonly Step: 'access';
      readonly Secret: string;
    };

/** A sentence for the log, and attributes that other resources read. */
interface Done {
  readonly done: string;
  readonly Data?: Readonly<Record<string, string>>;
}

const s3 = new S3Client({});
const cloudFront = new CloudFrontClient();
const secrets = new SecretsManagerClient();

export async function handler(event: DeploymentEvent): Promise<void> {
  try {
    const { done, Data } = await patiently(() => perform(event));
    console.log(JSON.stringify({ step: event.ResourceProperties.Step, request: event.RequestType, done }));
    await reply(event, 'SUCCESS', done, Data);
  } catch (error) {
    console.error(error);
    await reply(event, 'FAILED', String(error));
  }
}

/** The pause between attempts. New permissions take some time to reach S3 and CloudFront. */
const PAUSE_MS = 5_000;
const ATTEMPTS = 8;

/** Runs a step, and repeats it if AWS refuses a call. Every step may run twice without harm. */
async function patiently(work: () => Promise<Done>): Promise<Done> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRefused = error instanceof Error && error.name.startsWith('AccessDenied');
      if (!isRefused || attempt === ATTEMPTS) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

async function perform({ RequestType, RequestId, ResourceProperties }: DeploymentEvent): Promise<Done> {
  const properties = ResourceProperties;
  if (properties.Step === 'access') {
    return RequestType === 'Delete' ? { done: 'kept' } : await digestOfToken(properties.Secret);
  }
  const bucket = siteBucket(s3, properties.SiteBucket);
  if (RequestType === 'Delete') {
    const isEmptied = properties.Step === 'objects' && properties.EmptyOnDelete === 'true';
    if (isEmptied) await empty(bucket);
    return { done: isEmptied ? 'emptied' : 'kept' };
  }
  if (properties.Step === 'objects') {
    const archive = await readBytes(s3, properties.ArchiveBucket, properties.ArchiveKey);
    if (archive === undefined) throw new Error(`There is no archive ${properties.ArchiveKey}`);
    const filling = properties.Filling.map(({ Placeholder, Value }) => [Placeholder, Value]);
    const objects = withFilled(unpack(archive), Object.fromEntries(filling));
    return { done: `${await uploadObjects(bucket, objects)} uploaded` };
  }
  await invalidate(properties.DistributionId, RequestId);
  return { done: `${await prune(bucket)} pruned` };
}

/** Returns the digest of the token. The functions get only the digest, because people who may read their code could otherwise read the token. */
async function digestOfToken(secret: string): Promise<Done> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secret }));
  if (SecretString === '') throw new Error(`${secret} holds no token`);
  return { done: 'hashed', Data: { Sha256: createHash('sha256').update(SecretString).digest('hex') } };
}

/** Invalidates the whole cache with one path. A thousand paths a month are free. */
async function invalidate(distribution: string, reference: string): Promise<void> {
  await cloudFront.send(
    new CreateInvalidationCommand({
      DistributionId: distribution,
      InvalidationBatch: { CallerReference: reference, Paths: { Quantity: 1, Items: ['/*'] } },
    }),
  );
}

async function reply(
  event: DeploymentEvent,
  status: 'SUCCESS' | 'FAILED',
  reason: string,
  Data: Done['Data'] = {},
): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = LogicalResourceId } = event;
  const answer = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The content type is empty, because the URL was signed without one.
    headers: { 'content-type': '' },
    body: JSON.stringify({
      Status: status,
      Reason: reason.slice(0, 1_000),
      PhysicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
      Data,
    }),
  });
  if (!answer.ok) throw new Error(`CloudFormation answered ${answer.status}`);
}
