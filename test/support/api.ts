/** Calls the API as a client does. Each request runs the real handler of its route in the test's process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import type { Scope } from '../../contract/kit/scopes.ts';
import { Assets } from '../../lambdas/assets/records/assets.ts';
import { Transcriptions } from '../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { routes } from '../../lib/api/routes.ts';
import { kebabCase, pascalCase } from '../../lib/shared/names.ts';
import { readTarget } from '../../local/gateway/event.ts';
import { createRouter } from '../../local/gateway/routes.ts';
import { startS3 } from '../../local/s3/server.ts';
import type { HttpEvent, HttpReply } from '../../platform/kernel/http.ts';
import { assetKey } from '../../platform/table/keys.ts';
import { TenantTable } from '../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../shared/assets.ts';
import { type AssetId, asTenantId } from '../../shared/ids.ts';
import { languageByCode } from '../../shared/languages.ts';
import type { Segment } from '../../shared/segments.ts';
import { type Limits, unlimited } from '../../shared/usage.ts';
import { sourceOf } from '../../toolchain/bundle/entries.ts';
import { lambdaEnvironment } from './environment.ts';
import { asFunction, judgeRequests } from './function-permissions.ts';
import { httpEvent } from './http-event.ts';
import { newAssetId } from './ids.ts';

export const english = languageByCode('en')!.language_id;
export const spanish = languageByCode('es')!.language_id;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The raw bytes of the body. */
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  /** The size of the function's response, as Lambda measures it. */
  readonly replyBytes: number;
}

export class RawBody {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Metered {
  readonly metric: string;
  readonly quantity: number;
}

type Handler = (event: HttpEvent, context: object) => Promise<HttpReply>;

/** An empty DynamoDB and S3, and tenants that call the handlers. */
export async function startApi({ isVersioned = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-api-'));
  const s3 = await startS3({
    dir: folder,
    port: 0,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    buckets: [{ name: 'media', isVersioned }],
  });
  const environment = await lambdaEnvironment({ AWS_ENDPOINT_URL_S3: s3.url });
  await judgeRequests();
  // Imported after the environment is set, because the modules read it when they load.
  const { mediaObjects } = await import('../../platform/runtime/s3.ts');
  const { exportWait } = await import('../../lambdas/exports/actions/request-exports.ts');
  // No state machine runs here. A test that needs one starts it.
  exportWait.most_ms = 0;

  const tenant = async (name: string, scopes?: readonly Scope[]) => {
    const id = asTenantId(name);
    const key = (await environment.newKey(name, scopes)).text;
    // Events that the tests publish are not delivered.
    const table = new TenantTable(environment.client, 'Core', id, () => {});
    const objects = mediaObjects(id);
    const assets = new Assets(table, id);
    const transcriptions = new Transcriptions(table, objects, id);
    return {
      id,
      key,
      table,
      objects,
      transcriptions,
      call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        send(key, method, path, body, headers),

      async used(): Promise<Readonly<Record<string, number>>> {
        const { metrics } = (await send(key, 'GET', '/v1/usages/current_month', undefined, {})).json;
        const entries = metrics.map(({ metric, quantity }: Metered) => [metric, quantity]);
        return Object.fromEntries(entries);
      },

      /** A processed asset. Default: one minute of video at 25 frames per second. */
      async readyAsset(facts: Partial<StoredAsset> = {}): Promise<AssetId> {
        const { asset_id } = await assets.create(newAssetId(), new Date(), {
          filename: 'a.mp4',
          mc_model: 'normal',
        });
        const ready = {
          status: 'ready',
          duration_ms: 60_000,
          frame_rate: 25,
          width: 1920,
          height: 1080,
        } as const;
        const stored = await assets.get(asset_id);
        await table.put({ ...stored, ...ready, ...facts, ...assetKey(id, asset_id) });
        return asset_id;
      },

      /** An English transcription of the asset, with one second per text. */
      async transcribed(asset_id: AssetId, texts: readonly string[], more: object = {}): Promise<string> {
        const at = '2026-11-21T09:00:00.000Z';
        const head = {
          transcription_id: uuidv7(),
          asset_id,
          language_id: english,
          source: 'transcribed' as const,
          version: 1,
          stale: false,
          segment_count: texts.length,
          created_at: at,
          updated_at: at,
          ...more,
        };
        await transcriptions.create(head, texts.map(segmentOf));
        return head.transcription_id;
      },
    };
  };

  /** A tenant with these limits from its first request. Limits are cached. */
  const limited = async (name: string, limits: Partial<Limits>) => {
    await environment.keys.setLimits(asTenantId(name), { ...unlimited, ...limits });
    return tenant(name);
  };

  return {
    environment,
    s3,
    tenant,
    limited,
    async close() {
      await environment.close();
      await s3.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type Api = Omit<Awaited<ReturnType<typeof startApi>>, 'close'>;
export type Tenant = Awaited<ReturnType<Api['tenant']>>;

/** A segment of one second. Each word takes a fifth of it. */
function segmentOf(text: string, at: number): Segment {
  const start_ms = at * 1000;
  const words = text.split(' ').map((word, nth) => ({
    text: word,
    start_ms: start_ms + nth * 200,
    end_ms: start_ms + nth * 200 + 150,
    confidence: 0.9,
  }));
  return {
    segment_id: uuidv7(),
    original_segment_id: null,
    start_ms,
    end_ms: start_ms + 1000,
    text,
    speaker: 'spk_0',
    speaker_id: null,
    confidence: 0.9,
    words,
  };
}

const route = createRouter(
  routes.map(({ method, path, resource }) => ({ routeKey: `${method} ${path}`, resource })),
);

async function send(
  key: string,
  method: string,
  address: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const target = readTarget(address);
  const matched = target && route(method, target.path);
  if (matched === undefined) throw new Error(`There is no route ${method} ${address}`);
  const { routeKey, resource } = matched.route;
  const module = await import(sourceOf('api', kebabCase(resource)));
  const query = Object.fromEntries(new URLSearchParams(target!.query));
  const event = httpEvent({
    route: routeKey,
    method,
    path: target!.path,
    params: matched.pathParameters,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(Object.keys(query).length > 0 && { query }),
    ...(body instanceof RawBody ? { rawBody: body.text } : body !== undefined && { body }),
  });
  const id = pascalCase(kebabCase(resource));
  const reply = await asFunction(id, () => (module.handler as Handler)(event, {}));
  const bytes = bytesOf(reply);
  const text = bytes.toString('utf8');
  const isJson = (reply.headers['Content-Type'] ?? '').includes('json');
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text,
    bytes,
    json: isJson ? JSON.parse(text) : null,
    replyBytes: Buffer.byteLength(JSON.stringify(reply)),
  };
}

/** The body after decompression, as a client reads it. */
function bytesOf({ body, headers, isBase64Encoded }: HttpReply): Buffer {
  if (isBase64Encoded !== true) return Buffer.from(body, 'utf8');
  const bytes = Buffer.from(body, 'base64');
  return headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
}
