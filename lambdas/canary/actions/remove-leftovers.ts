/** Removes keys and assets that crashed runs left. */
import { type Kinora, ProblemError } from '../../../client/index.ts';
import type { ApiKeys } from '../../../platform/records/api-keys.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { LONGEST_RUN_MS } from '../rules/stages.ts';

/** The maximum number of assets that one run removes. Crashed runs leave fewer assets between two runs. */
const MOST = 10;

/** Removes expired keys. They need no history, because each was valid for only one run. */
export async function clearKeys(
  keys: Pick<ApiKeys, 'list' | 'remove'>,
  tenant: TenantId,
  now: Date,
): Promise<void> {
  const over = ({ expires_at }: { expires_at: string | null }) =>
    expires_at !== null && Date.parse(expires_at) < now.getTime();
  for (const key of (await keys.list(tenant)).filter(over)) await keys.remove(key);
}

/** Deletes assets of crashed runs, but none of a current run or with another name. Returns their number. */
export async function clearAssets(
  kinora: Kinora,
  filename: string,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const { data } = await kinora.listAssets({ items: MOST }, { signal });
  const oldest = now.getTime() - LONGEST_RUN_MS;
  const left = data.filter((asset) => asset.filename === filename && Date.parse(asset.created_at) < oldest);
  for (const { asset_id } of left) {
    await kinora.deleteAsset({ asset_id }, { signal }).catch((error: unknown) => {
      // Another run may delete the same asset.
      if (!(error instanceof ProblemError && [404, 409].includes(error.status))) throw error;
    });
  }
  return left.length;
}
