/** Credentials of a tenant's role, for one bucket and as little as a write needs. */
import { AssumeRoleCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts';
import { providerUnavailable, storageAccessDenied } from '../../platform/shared/job-errors.ts';
import { patience } from '../aws-client.ts';

export interface Assumed {
  readonly role: string;
  readonly external_id: string;
  readonly bucket: string;
  readonly region: string;
}

/** How long each of three attempts may take, ms. */
export const ANSWER_MS = 60_000;
/** Seconds. A role that assumes another has an hour at most, which is longer than a step may take. */
const SESSION_S = 3600;

export async function sessionIn(
  assumed: Assumed,
  signal: AbortSignal,
  sts: Pick<STSClient, 'send'> = new STSClient({ requestHandler: patience(ANSWER_MS) }),
) {
  const { role, external_id } = assumed;
  const session = { RoleArn: role, RoleSessionName: 'kinora-export', DurationSeconds: SESSION_S };
  const options = { abortSignal: signal };
  const Policy = JSON.stringify(sessionPolicy(assumed));
  const { Credentials } = await sts
    .send(new AssumeRoleCommand({ ...session, ExternalId: external_id, Policy }), options)
    .catch((error: unknown) => {
      throw signal.aborted ? error : refusalOf(error, assumed);
    });
  await requireExternalId(
    () => sts.send(new AssumeRoleCommand({ ...session, Policy }), options),
    assumed,
    signal,
  );
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
}

/** A role that anybody's storage could name is not used, although it would let us in. */
async function requireExternalId(
  assumeWithout: () => Promise<unknown>,
  { role, external_id }: Assumed,
  signal: AbortSignal,
): Promise<void> {
  try {
    await assumeWithout();
  } catch (error) {
    if (isDenied(error)) return;
    throw signal.aborted ? error : unavailable(error);
  }
  throw storageAccessDenied(
    `The role ${role} can be assumed without an external id, so anybody who knows its ARN could write with it. Add the condition sts:ExternalId = ${external_id} to its trust policy; \`aws_access\` of the storage has the whole policy.`,
  );
}

function refusalOf(error: unknown, { role, external_id }: Assumed): Error {
  if (isDenied(error)) {
    return storageAccessDenied(
      `AWS does not let Kinora assume the role ${role}: it is not there, or its trust policy does not name Kinora's account with the external id ${external_id}. \`aws_access\` of the storage has the policy to copy.`,
      error,
    );
  }
  return unavailable(error);
}

const isDenied = (error: unknown): boolean =>
  error instanceof STSServiceException && ['AccessDenied', 'AccessDeniedException'].includes(error.name);

const unavailable = (error: unknown) =>
  providerUnavailable('The Security Token Service of AWS gave no credentials.', error);

/**
 * What the session may do, whatever its role may: write to the one bucket, and with its key where it is encrypted. A
 * session has what both policies allow.
 */
function sessionPolicy({ role, bucket, region }: Assumed) {
  const partition = role.split(':')[1];
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'],
        Resource: `arn:${partition}:s3:::${bucket}/*`,
      },
      {
        Effect: 'Allow',
        Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
        Resource: '*',
        Condition: { StringEquals: { 'kms:ViaService': `s3.${region}.${suffixOf(region)}` } },
      },
    ],
  };
}

/** AWS's own names end differently in China ("Endpoints and ARNs for AWS in China"). */
const suffixOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
