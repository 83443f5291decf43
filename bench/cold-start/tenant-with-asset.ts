/** The stored items that answer the sample request of the function Assets: its API key, and the asset that it reads. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { hashOfKey, keyIdOf } from '../../shared/api-keys.ts';
import { newAsset } from '../../shared/assets.ts';
import { defined } from '../../shared/checked-access.ts';
import { asAssetId } from '../../shared/ids.ts';
import { sampleKey } from '../../toolchain/bundle/sample-events.ts';
import { exampleId } from '../../toolchain/openapi/example-ids.ts';

export function storedItems() {
  const [tenant, id, assetId] = ['demo', defined(keyIdOf(sampleKey)), exampleId('asset_id')];
  const created_at = '2026-11-21T09:30:00.000Z';
  const key = {
    ...{ id, tenant, name: 'bench', hash: hashOfKey(sampleKey), scopes: ['assets:read'] },
    ...{ status: 'active', created_at, expires_at: null },
  };
  const asset = newAsset(asAssetId(assetId), new Date(created_at), {
    filename: 'keynote.mp4',
    mc_model: 'normal',
  });
  const stored = (pk: string, sk: string, values: object) => ({ [pk]: marshall({ pk, sk, ...values }) });
  return { ...stored(`KEY#${id}`, 'KEY', key), ...stored(`T#${tenant}#A#${assetId}`, 'META', asset) };
}
