/**
 * Transcriptions: a head item that names a version, and one immutable gzipped document of segments a version.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { NotFound } from '../domain/problems.ts';
import type { Segment } from '../domain/segments.ts';
import type { TenantId } from '../domain/tenant.ts';
import { absent, assetPartition, transcriptionKey } from './keys.ts';
import { derivedKey, type MediaObjects } from './objects.ts';
import { ConditionFailed, type TenantTable } from './table.ts';

export interface Transcription {
  readonly transcription_id: string;
  readonly asset_id: string;
  readonly language_id: string;
  readonly source: 'transcribed' | 'translated';
  readonly version: number;
  readonly stale: boolean;
  readonly segment_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export class Transcriptions {
  readonly #table: TenantTable;
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, objects: MediaObjects, tenant: TenantId) {
    this.#table = table;
    this.#objects = objects;
    this.#tenant = tenant;
  }

  /** The transcriptions of an asset, oldest first. */
  async list(asset: string): Promise<Transcription[]> {
    const items = await this.#table.queryAll<Transcription>({
      pk: assetPartition(this.#tenant, asset),
      beginsWith: 'TR#',
    });
    return items.map(headOf);
  }

  async get(asset: string, id: string): Promise<Transcription> {
    const found = await this.find(asset, id);
    if (found === null) throw new NotFound('transcription', id);
    return found;
  }

  async find(asset: string, id: string): Promise<Transcription | null> {
    const found = await this.#table.get<Transcription>(transcriptionKey(this.#tenant, asset, id));
    return found === null ? null : headOf(found);
  }

  async segments(head: Transcription): Promise<Segment[]> {
    const bytes = await this.#objects.read(this.#documentKey(head));
    if (bytes === null) throw new NotFound('transcription', head.transcription_id);
    return JSON.parse(gunzipSync(bytes).toString('utf8')).segments as Segment[];
  }

  /** Writes the first version. A repeat answers the transcription that is there, untouched. */
  async create(head: Transcription, segments: readonly Segment[]): Promise<Transcription> {
    const existing = await this.find(head.asset_id, head.transcription_id);
    if (existing !== null) return existing;
    const document = gzipSync(JSON.stringify({ segments }));
    await this.#objects.write(this.#documentKey(head), document, 'application/json', 'gzip');
    const key = transcriptionKey(this.#tenant, head.asset_id, head.transcription_id);
    try {
      await this.#table.put({ ...key, ...head }, absent);
      return head;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return headOf(error.current as unknown as Transcription);
    }
  }

  #documentKey({ asset_id, transcription_id, version }: Transcription): string {
    return derivedKey(this.#tenant, asset_id, 'transcription', transcription_id, `v${version}.json.gz`);
  }
}

function headOf(item: Transcription): Transcription {
  const { transcription_id, asset_id, language_id, source, version, stale, segment_count } = item;
  const { created_at, updated_at } = item;
  return {
    transcription_id,
    asset_id,
    language_id,
    source,
    version,
    stale,
    segment_count,
    created_at,
    updated_at,
  };
}
