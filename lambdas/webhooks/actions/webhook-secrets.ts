/** Secrets of webhooks. Each is encrypted only for its webhook. */
import type { StoredSecret, StoredWebhook } from '../../../platform/outbox/webhooks.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { inUse, newSecret } from '../rules/standard-webhooks.ts';

export const sealedSecret = async (tenant: TenantId, webhook: string): Promise<StoredSecret> => ({
  sealed: await tenantSecrets().seal(newSecret(), { tenant, resource: webhook }),
  expires_at: null,
});

/** The secrets that currently sign, the newest first. */
export const openedSecrets = (tenant: TenantId, { id, secrets }: StoredWebhook, now: Date) =>
  Promise.all(
    inUse(secrets, now).map(async ({ sealed, expires_at }) => ({
      secret: await tenantSecrets().open<string>(sealed, { tenant, resource: id }),
      expires_at,
    })),
  );
