/** Secrets of webhooks: each is encrypted for the one webhook whose deliveries it signs. */
import type { StoredSecret, StoredWebhook } from '../data/webhooks.ts';
import type { TenantId } from '../domain/tenant.ts';
import { inUse, newSecret } from '../domain/webhooks.ts';
import { tenantSecrets } from './secrets.ts';

export const sealedSecret = async (tenant: TenantId, webhook: string): Promise<StoredSecret> => ({
  sealed: await tenantSecrets().seal(newSecret(), { tenant, resource: webhook }),
  expires_at: null,
});

/** The secrets that sign at that moment, newest first. */
export const openedSecrets = (tenant: TenantId, { id, secrets }: StoredWebhook, now: Date) =>
  Promise.all(
    inUse(secrets, now).map(async ({ sealed, expires_at }) => ({
      secret: await tenantSecrets().open<string>(sealed, { tenant, resource: id }),
      expires_at,
    })),
  );
