/**
 * `npm run restore -- assets|erase …`: the steps of docs/restore.md that go through many items and objects. Without `--yes` it
 * counts what it would do, and changes nothing. With the caller's AWS credentials; prints JSON.
 */
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { restoreItems } from './restoring/items.ts';
import { eraseVersions, restoreObjects } from './restoring/objects.ts';

const usage = `Usage:
  npm run restore -- assets --tenant NAME [--asset ID] --at TIME --from RESTORED_TABLE --table CORE_TABLE --bucket MEDIA_BUCKET --region REGION [--yes]
                  brings back what was there at that time (RFC 3339) and is deleted now
  npm run restore -- erase --tenant NAME --asset ID --bucket MEDIA_BUCKET --region REGION [--yes]
                  deletes every version of the media of a deleted asset for good

Without --yes it only counts. docs/restore.md leads through both.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tenant: { type: 'string' },
    asset: { type: 'string' },
    at: { type: 'string' },
    from: { type: 'string' },
    table: { type: 'string' },
    bucket: { type: 'string' },
    region: { type: 'string' },
    yes: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const { tenant, asset, bucket, region, yes: apply } = values;
const [command] = positionals;

if (values.help || !tenant || !bucket || !region) leave(values.help ? 0 : 2);
const s3 = new S3Client({ region });
// A tenant's name has no slash, and the id of an asset neither: nothing else begins so.
const prefix = asset ? `t/${tenant}/assets/${asset}/` : `t/${tenant}/`;

if (command === 'assets') {
  const { at, from, table } = values;
  if (!at || Number.isNaN(Date.parse(at)) || !from || !table) leave(2);
  const client = new DynamoDBClient({ region });
  const objects = await restoreObjects(s3, { bucket, prefix, moment: new Date(at), apply });
  // Media first: an asset that is listed again can be read.
  const items = await restoreItems(client, { from, to: table, tenant, assetId: asset, apply });
  console.log(JSON.stringify({ done: apply, objects, items }));
} else if (command === 'erase') {
  if (!asset) leave(2);
  console.log(JSON.stringify({ done: apply, versions: await eraseVersions(s3, { bucket, prefix, apply }) }));
} else leave(2);

function leave(code: number): never {
  console.error(usage);
  process.exit(code);
}
