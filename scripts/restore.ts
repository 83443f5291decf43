/**
 * `npm run restore -- assets|erase …`: the steps of docs/restore.md that handle many items and objects. Without `--yes` it only
 * counts and changes nothing. Uses the caller's AWS credentials and prints JSON.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { type AssetId, asTenantId, isTenantName } from '../shared/ids.ts';
import { argumentsOf } from './arguments.ts';
import { Failure, Misuse, reportFailure } from './deployment/failure.ts';
import { eraseVersions, refusalOf, restoreItems, restoreObjects } from './restoring/assets.ts';

const usage = `Usage:
  npm run restore -- assets --tenant NAME [--asset ID] --at TIME --from RESTORED_TABLE --table CORE_TABLE --bucket MEDIA_BUCKET --region REGION [--yes]
                  restores what existed at that time (RFC 3339) and is deleted now
  npm run restore -- erase --tenant NAME --asset ID --table CORE_TABLE --bucket MEDIA_BUCKET --region REGION [--yes]
                  erases every version of the media of a deleted asset, for good

Without --yes it only counts. docs/restore.md explains both.`;

const help = 'npm run restore -- --help';

const { values, positionals } = argumentsOf(
  { text: usage, help, words: 1 },
  {
    options: {
      tenant: { type: 'string' },
      asset: { type: 'string' },
      at: { type: 'string' },
      from: { type: 'string' },
      table: { type: 'string' },
      bucket: { type: 'string' },
      region: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  },
);

const commands: Record<string, () => Promise<object>> = { assets, erase };
const { yes: apply } = values;

try {
  const command = commands[positionals[0] ?? ''];
  if (command === undefined) throw new Misuse('assets or erase?', help);
  console.log(JSON.stringify({ done: apply, ...(await command()) }));
} catch (error) {
  reportFailure(error);
}

async function assets() {
  const { asset } = values;
  const moment = new Date(given('at'));
  if (Number.isNaN(moment.getTime()))
    throw new Misuse(`--at ${values.at} is not a time`, 'Example: 2026-11-22T09:00:00Z, in UTC.');
  const { tenant, table, bucket, dynamodb, s3 } = place();
  const from = given('from');
  const prefix = asset ? prefixOf(tenant, asset) : `t/${tenant}/`;
  const objects = await restoreObjects(s3, { bucket, prefix, moment, apply });
  // Media are restored first, so that an asset in a list can always be read.
  const items = await restoreItems(dynamodb, { from, to: table, tenant, assetId: asset, apply });
  return { objects, items };
}

async function erase() {
  const asset = given('asset') as AssetId;
  const { tenant, table, bucket, dynamodb, s3 } = place();
  const prefix = prefixOf(tenant, asset);
  const refusal = await refusalOf({ dynamodb, s3 }, { table, bucket, prefix, tenant, asset });
  if (refusal !== null) throw new Failure(refusal.says, refusal.cure);
  return { versions: await eraseVersions(s3, { bucket, prefix, apply }) };
}

function place() {
  const region = given('region');
  const [dynamodb, s3] = [new DynamoDBClient({ region }), new S3Client({ region })];
  const tenant = given('tenant');
  if (!isTenantName(tenant)) throw new Misuse(`“${tenant}” is not a valid tenant name`, help);
  return { tenant: asTenantId(tenant), table: given('table'), bucket: given('bucket'), dynamodb, s3 };
}

/** Returns the prefix of an asset's media. Tenant names and asset ids contain no slash, so no other prefix begins with this one. */
function prefixOf(tenant: string, asset: string): string {
  return `t/${tenant}/assets/${asset}/`;
}

function given(option: Exclude<keyof typeof values, 'yes'>): string {
  const text = values[option];
  if (text) return text;
  throw new Misuse(`--${option} is missing`, help);
}
