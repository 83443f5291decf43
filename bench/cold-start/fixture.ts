/** The stored items of a tenant with one key and one asset, and a request for the asset. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { hashOfKey, newApiKey } from '../../shared/api-keys.ts';
import { newAsset } from '../../shared/assets.ts';
import { asAssetId } from '../../shared/ids.ts';

const tenant = 'demo';
const assetId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

export function fixture() {
  const { id, text } = newApiKey('live');
  const created_at = '2026-11-21T09:30:00.000Z';
  const key = {
    id,
    tenant,
    name: 'bench',
    hash: hashOfKey(text),
    scopes: ['assets:read'],
    status: 'active',
    created_at,
    expires_at: null,
  };
  const asset = newAsset(asAssetId(assetId), new Date(created_at), {
    filename: 'keynote.mp4',
    mc_model: 'normal',
  });
  const stored = (pk: string, sk: string, values: object) => marshall({ pk, sk, ...values });
  return {
    items: {
      [`KEY#${id}`]: stored(`KEY#${id}`, 'KEY', key),
      [`T#${tenant}#A#${assetId}`]: stored(`T#${tenant}#A#${assetId}`, 'META', asset),
    },
    event: getAssetEvent(text),
  };
}

/** The request in payload format 2.0 of API Gateway. */
function getAssetEvent(key: string) {
  const path = `/v1/assets/${assetId}`;
  return {
    version: '2.0',
    routeKey: 'GET /v1/assets/{asset_id}',
    rawPath: path,
    rawQueryString: '',
    headers: { authorization: `Bearer ${key}`, host: 'api.kinora.example' },
    pathParameters: { asset_id: assetId },
    requestContext: {
      requestId: 'bench',
      http: { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'bench' },
      stage: '$default',
      timeEpoch: 1763717400000,
    },
    isBase64Encoded: false,
  };
}
