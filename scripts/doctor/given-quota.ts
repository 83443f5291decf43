/** Reads the quotas of an account from Service Quotas. */
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { doubtful } from './finding.ts';

export interface ServiceQuota {
  /** The service code in the address of its console page. */
  readonly service: string;
  readonly code: string;
}

/** The account's quota, or the default if it was never changed. @throws if the region has no such quota */
async function givenQuota(client: ServiceQuotasClient, { service, code }: ServiceQuota): Promise<number> {
  const input = { ServiceCode: service, QuotaCode: code };
  try {
    return (await client.send(new GetServiceQuotaCommand(input))).Quota!.Value!;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return (await client.send(new GetAWSDefaultServiceQuotaCommand(input))).Quota!.Value!;
  }
}

/** Null if Service Quotas does not know the quota: codes can change, and not every region has all. */
export const givenQuotaIfKnown = (client: ServiceQuotasClient, quota: ServiceQuota): Promise<number | null> =>
  givenQuota(client, quota).catch((error: unknown) => {
    if (isUnknown(error)) return null;
    throw error;
  });

/** @param wanted what would be compared with it */
export const unknownQuota = (name: string, { service, code }: ServiceQuota, region: string, wanted: string) =>
  doubtful(
    `Service Quotas has no ${code} of ${service} in ${region} (${name}); ${wanted}`,
    `Search for it by name: https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas`,
  );

/** Service Quotas answers this for an unknown code, and for a service that the region lacks. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NoSuchResourceException';

/** The console page on which to request more. */
export const consoleOf = ({ service, code }: ServiceQuota, region: string): string =>
  `https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas/${code}`;
