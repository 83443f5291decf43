/** Gets credentials of a tenant's role. The credentials allow only the actions that a write to one bucket needs. */
import { AssumeRoleCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts';
import { providerUnavailable, storageAccessDenied } from '../../shared/job-errors.ts';
import { patience, type ServiceError, toJobError } from '../aws/requests.ts';

export interface Assumed {
  readonly role: string;
  readonly external_id: string;
  readonly bucket: string;
  readonly region: string;
}

/** The time limit of each of three attempts, ms. */
export const ANSWER_MS = 60_000;
/** The lifetime of credentials, seconds: the maximum of AWS for a role that assumes another role. It is longer than a step. */
const SESSION_S = 3600;

export async function assumeTenantRole(
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
  const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken)
    throw providerUnavailable(`${service} gave no credentials.`);
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
}

/** Throws if Kinora can assume the role without the external id. Any other tenant could then use this role, too. */
async function requireExternalId(
  assumeWithout: () => Promise<unknown>,
  { role, external_id }: Assumed,
  signal: AbortSignal,
): Promise<void> {
  try {
    await assumeWithout();
  } catch (error) {
    if (isDenied(error)) return;
    throw signal.aborted ? error : toJobError(service, 'a session', error as ServiceError);
  }
  throw storageAccessDenied(
    `The role ${role} can be assumed without an external id, so anyone who knows its ARN could have Kinora write with it. Add the condition sts:ExternalId = ${external_id} to its trust policy; \`aws_access\` of the storage has the whole policy.`,
  );
}

function refusalOf(error: unknown, { role, external_id }: Assumed): Error {
  if (isDenied(error)) {
    return storageAccessDenied(
      `AWS does not let Kinora assume the role ${role}: the role does not exist, or its trust policy does not name Kinora's account with the external id ${external_id}. Copy the policy from \`aws_access\` of the storage.`,
      error,
    );
  }
  // API_AssumeRole, Errors: the account has not activated STS in this region.
  if (error instanceof STSServiceException && /^RegionDisabled/.test(error.name)) {
    return storageAccessDenied(
      `The account of the role ${role} has not activated the Security Token Service in Kinora's region. Its administrator can activate it in IAM, under account settings.`,
      error,
    );
  }
  return toJobError(service, 'a session', error as ServiceError);
}

const isDenied = (error: unknown): boolean =>
  error instanceof STSServiceException && ['AccessDenied', 'AccessDeniedException'].includes(error.name);

const service = 'The Security Token Service of AWS';

/** Returns a policy that allows the session only to write to one bucket and to use the KMS key of that bucket. */
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
        Condition: { StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` } },
      },
    ],
  };
}
