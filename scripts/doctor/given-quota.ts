/** What Service Quotas says that an account was given. */
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { doubtful } from './finding.ts';

export interface ServiceQuota {
  /** As in the address of its page in the console. */
  readonly service: string;
  readonly code: string;
}

/** What the account was given; what every account has, where nothing was ever asked for. @throws where the region has no such quota */
async function givenQuota(client: ServiceQuotasClient, { service, code }: ServiceQuota): Promise<number> {
  const input = { ServiceCode: service, QuotaCode: code };
  try {
    return (await client.send(new GetServiceQuotaCommand(input))).Quota!.Value!;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return (await client.send(new GetAWSDefaultServiceQuotaCommand(input))).Quota!.Value!;
  }
}

/** The same; null where Service Quotas has no such quota: codes are nowhere promised to stay, and not every region has all. */
export const givenQuotaIfKnown = (client: ServiceQuotasClient, quota: ServiceQuota): Promise<number | null> =>
  givenQuota(client, quota).catch((error: unknown) => {
    if (isUnknown(error)) return null;
    throw error;
  });

/** @param wanted what would be compared with it */
export const unknownQuota = (name: string, { service, code }: ServiceQuota, region: string, wanted: string) =>
  doubtful(
    `Service Quotas has no ${code} of ${service} in ${region} (${name}); ${wanted}`,
    `Look for it by its name: https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas`,
  );

/** Whether Service Quotas does not know it, or the service is not in the region. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NoSuchResourceException';

/** Where more of it is asked for. */
export const consoleOf = ({ service, code }: ServiceQuota, region: string): string =>
  `https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas/${code}`;
