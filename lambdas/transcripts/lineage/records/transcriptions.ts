/**
 * Transcriptions: a head item that names a version, and one immutable gzipped document of segments a version.
 * An edit writes a new document and then sets the head where it still is as it was read; the loser of a race
 * removes its document and reads again. Every version has an item of its own besides, so that it stays readable: the
 * first, which is as it was heard, and the newest thousand.
 */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/transcription-versions.ts';
import { assetPrefix, derivedKey, type MediaObjects } from '../../../../platform/objects/media-objects.ts';
import { requireStaying, staying } from '../../../../platform/records/asset-children.ts';
import { backoff } from '../../../../platform/table/backoff.ts';
import type { Position } from '../../../../platform/table/id-pages.ts';
import { type PageOfItems, pageOfItems } from '../../../../platform/table/item-pages.ts';
import {
  absent,
  assetPartition,
  present,
  transcriptionKey,
  transcriptionsPrefix,
  transcriptionVersionKey,
  transcriptionVersionsPrefix,
} from '../../../../platform/table/keys.ts';
import {
  ConditionFailed,
  isCancelled,
  type TenantTable,
  TransactionRefused,
  type Write,
} from '../../../../platform/table/tenant-table.ts';
import { changing } from '../../../../platform/table/update-expression.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { NotFound, WriteConflict } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import type { TenantId } from '../../../../shared/tenant.ts';
import { zlib } from '../../../../shared/zlib.ts';

export interface Transcription {
  readonly transcription_id: string;
  readonly asset_id: AssetId;
  readonly language_id: string;
  readonly source: 'transcribed' | 'translated';
  readonly version: number;
  readonly stale: boolean;
  readonly segment_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The head as it is stored: with the key of the document that holds its version's segments. */
export interface StoredTranscription extends Transcription {
  readonly document: string;
  /** The job that made a version of it last, and which. */
  readonly made_by?: MadeBy;
}

export interface MadeBy {
  readonly job_id: string;
  readonly version: number;
  /** Characters of the original that its engine was given. */
  readonly characters?: number;
}

/** What of a translation's head a translation decides: whether all of it comes of its original as that is now, and the job. */
export interface Making {
  readonly stale: boolean;
  readonly job_id: string;
  readonly characters?: number;
}

/** When an edit is made, and the source of the names of its documents. */
export interface Editor {
  readonly now: Date;
  readonly newId: () => string;
  /** What the list of versions says of the edit. */
  readonly did?: Did;
  /** Where a person edits a stale translation: whether it is still. Other edits leave that as it is. */
  readonly isStale?: (segments: readonly Segment[]) => boolean;
  /** Where the edit is a job's translation. */
  readonly making?: (segments: readonly Segment[]) => Making;
}

export type Did = NonNullable<Static<typeof contract.TranscriptionVersion>['change']>;

/** What the list of versions says of an edit of so many segments. */
export const didOf = (
  action: Did['action'],
  segments: number,
  restored_version: number | null = null,
): Did => ({
  action,
  segments,
  restored_version,
});

/** A version as the list of them shows it. */
export interface ListedVersion {
  readonly version: number;
  readonly created_at: string;
  readonly segment_count: number;
  readonly change: Did | null;
}

/** What an edit makes of a version; null where nothing is to be done. */
export type Edit = (segments: Segment[], head: StoredTranscription) => readonly Segment[] | null;

/** How often an edit that lost a race is made again. */
const RETRIES = 5;
/** Milliseconds; doubled with every retry. */
const RETRY_BASE_MS = 80;
/** A transaction holds 100 writes; the languages of one asset are fewer. */
const MAX_TRANSLATIONS = 90;
/** How many of the newest versions stay readable, beside the first. */
const KEPT_VERSIONS = 1000;

export class Transcriptions {
  readonly #table: TenantTable;
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;
  readonly #kept: number;

  constructor(table: TenantTable, objects: MediaObjects, tenant: TenantId, kept = KEPT_VERSIONS) {
    this.#table = table;
    this.#objects = objects;
    this.#tenant = tenant;
    this.#kept = kept;
  }

  /** The transcriptions of an asset, oldest first. */
  list(assetId: AssetId): Promise<StoredTranscription[]> {
    return transcriptionsOf(this.#table, this.#tenant, assetId);
  }

  /** One page of them, oldest first. */
  async page(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<StoredTranscription>> {
    const place = { pk: assetPartition(this.#tenant, assetId), prefix: 'TR' };
    const { items, ...page } = await pageOfItems<StoredTranscription>(this.#table, place, position, size);
    return { ...page, items: items.map(storedHead) };
  }

  async get(assetId: AssetId, id: string): Promise<StoredTranscription> {
    const found = await this.find(assetId, id);
    if (found === null) throw new NotFound('transcription', id);
    return found;
  }

  async find(assetId: AssetId, id: string): Promise<StoredTranscription | null> {
    const found = await this.#table.get<StoredTranscription>(transcriptionKey(this.#tenant, assetId, id));
    return found === null ? null : storedHead(found);
  }

  /** The head as it was at a version. */
  async atVersion(head: StoredTranscription, version: number): Promise<StoredTranscription> {
    if (version === head.version) return head;
    const key = transcriptionVersionKey(this.#tenant, head.asset_id, head.transcription_id, version);
    const found = await this.#table.get<StoredTranscription>(key);
    if (found === null) throw new NotFound('version', String(version));
    return { ...head, ...versionOf(found) };
  }

  /** The versions that are kept, newest first. */
  async versions({ asset_id, transcription_id }: StoredTranscription): Promise<ListedVersion[]> {
    const { pk } = transcriptionKey(this.#tenant, asset_id, transcription_id);
    const beginsWith = transcriptionVersionsPrefix(transcription_id);
    const range = { pk, beginsWith, newestFirst: true, consistent: true };
    const items = await this.#table.queryAll<StoredTranscription & { did?: Did }>(range);
    return items.map(({ version, updated_at, segment_count, did }) => {
      const change = did ?? (version === 1 ? didOf('created', segment_count) : null);
      return { version, created_at: updated_at, segment_count, change };
    });
  }

  async segments({ transcription_id, document }: StoredTranscription): Promise<Segment[]> {
    const bytes = await this.#objects.read(document);
    if (bytes === null) throw new NotFound('transcription', transcription_id);
    return JSON.parse(zlib().gunzipSync(bytes).toString('utf8')).segments as Segment[];
  }

  /** Writes the first version. A repeat answers the transcription that is there, untouched. */
  async create(
    head: Transcription & Pick<StoredTranscription, 'made_by'>,
    segments: readonly Segment[],
  ): Promise<Transcription> {
    const existing = await this.find(head.asset_id, head.transcription_id);
    if (existing !== null) return existing;
    // Deterministic: a repeated step overwrites what it wrote before. Two jobs that race to it each write their own.
    const stored = { ...head, document: this.#documentKey(head, head.made_by?.job_id ?? 'first') };
    await this.#write(stored, segments);
    const key = transcriptionKey(this.#tenant, head.asset_id, head.transcription_id);
    try {
      await this.#table.transact([
        staying(this.#tenant, head.asset_id),
        { put: { ...key, ...stored }, condition: absent },
        { put: this.#versionItem(stored) },
      ]);
      return head;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const made = error.actions[1]?.current as unknown as StoredTranscription | null | undefined;
      if (made?.document !== stored.document) await this.#objects.delete(stored.document);
      if (made) return storedHead(made);
      requireStaying(head.asset_id, error);
      throw error;
    }
  }

  /** Marks a translation as stale whose original changed while it was made. */
  async markStale({ asset_id, transcription_id }: Transcription): Promise<void> {
    const key = transcriptionKey(this.#tenant, asset_id, transcription_id);
    await this.#table.update(changing(key, { stale: true }, { condition: present })).catch(unlessGone);
  }

  /**
   * Takes the mark off a translation of which nothing is stale beside the originals as they were seen; whoever changes one of these
   * marks it again.
   */
  async settle(translation: StoredTranscription, originals: readonly StoredTranscription[]): Promise<void> {
    const keyOf = ({ asset_id, transcription_id }: Transcription) =>
      transcriptionKey(this.#tenant, asset_id, transcription_id);
    const asSeen = ({ version }: Transcription) => ({
      condition: '#version = :seen',
      values: { seen: version },
    });
    const names = { '#version': 'version' };
    try {
      await this.#table.transact([
        { update: changing(keyOf(translation), { stale: false }, asSeen(translation)) },
        ...originals.map((one) => ({ check: keyOf(one), ...asSeen(one), names })),
      ]);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  }

  /**
   * Removes a first version that a job made, with its document. False where it is not that any more: somebody changed it,
   * or another job made it anew.
   */
  async withdraw(
    { asset_id, transcription_id, document }: StoredTranscription,
    jobId: string,
  ): Promise<boolean> {
    const head = transcriptionKey(this.#tenant, asset_id, transcription_id);
    const isUntouched = {
      condition: '#version = :one AND made_by.job_id = :job',
      names: { '#version': 'version' },
    };
    try {
      await this.#table.transact([
        { delete: head, ...isUntouched, values: { one: 1, job: jobId } },
        { delete: transcriptionVersionKey(this.#tenant, asset_id, transcription_id, 1) },
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused) return false;
      throw error;
    }
    await this.#objects.delete(document);
    return true;
  }

  /** Removes documents that a job wrote and no version names: it died before it could name them, or remove them. */
  async removeUnnamed(assetId: AssetId, jobId: string): Promise<void> {
    const prefix = `${assetPrefix(this.#tenant, assetId)}derived/transcription/`;
    const written = (await this.#objects.keys(prefix)).filter((key) => key.endsWith(`-${jobId}.json.gz`));
    if (written.length === 0) return;
    const { pk } = transcriptionKey(this.#tenant, assetId, '');
    const beginsWith = transcriptionVersionsPrefix('').slice(0, -1);
    const versions = await this.#table.queryAll<StoredTranscription>({ pk, beginsWith, only: ['document'] });
    const named = new Set(versions.map(({ document }) => document));
    for (const key of written.filter((one) => !named.has(one))) await this.#objects.delete(key);
  }

  /** Removes a transcription with its versions and their documents; the head goes last, so that a repeat finds what is left. */
  async remove(assetId: AssetId, id: string): Promise<void> {
    const head = transcriptionKey(this.#tenant, assetId, id);
    await this.#objects.deleteAll(derivedKey(this.#tenant, assetId, 'transcription', id, ''));
    const beginsWith = transcriptionVersionsPrefix(id);
    const items = await this.#table.queryAll({ pk: head.pk, beginsWith, only: [] });
    for (const item of [...items, head]) await this.#table.delete(item);
  }

  /**
   * Makes a new version. Throws write_conflict where others were faster every time.
   * @param mayEdit throws where the head is not the one that the caller means
   */
  async edit(
    assetId: AssetId,
    id: string,
    editor: Editor,
    change: Edit,
    mayEdit: (head: StoredTranscription) => void = () => {},
  ): Promise<StoredTranscription> {
    for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
      const head = await this.get(assetId, id);
      mayEdit(head);
      const segments = change(await this.segments(head), head);
      if (segments === null) return head;
      const next = this.#successor(head, segments, editor);
      // Where many edit at once most have lost by now: a look is cheaper than a document that nobody reads.
      const isStill = (await this.get(assetId, id)).version === head.version;
      if (isStill && (await this.#advance(head, next, segments, editor))) {
        await this.#forget(head, next.version - this.#kept);
        await this.#markLateOnes(head);
        return next;
      }
      await backoff(attempt, RETRY_BASE_MS);
    }
    throw new WriteConflict('transcription', id);
  }

  #successor(
    head: StoredTranscription,
    segments: readonly Segment[],
    { now, newId, isStale, making }: Editor,
  ): StoredTranscription {
    const version = head.version + 1;
    const made = making?.(segments);
    return {
      ...head,
      ...(isStale && { stale: isStale(segments) }),
      ...(made && { stale: made.stale, made_by: madeBy(made, version) }),
      version,
      segment_count: segments.length,
      updated_at: now.toISOString(),
      // Its name is more than the version: of two edits that race to one version, each writes its own document.
      document: this.#documentKey({ ...head, version }, newId()),
    };
  }

  /** Writes the document, then the head, and marks translations as stale. False where the head has moved. */
  async #advance(
    head: StoredTranscription,
    next: StoredTranscription,
    segments: readonly Segment[],
    { did }: Editor,
  ): Promise<boolean> {
    const [staleMarks] = await Promise.all([this.#staleMarks(head), this.#write(next, segments)]);
    const { version, segment_count, updated_at, document, stale, made_by } = next;
    const isMade = made_by?.version === version;
    const isJudged = isMade || stale !== head.stale;
    const key = transcriptionKey(this.#tenant, head.asset_id, head.transcription_id);
    try {
      await this.#table.transact([
        staying(this.#tenant, head.asset_id),
        {
          update: changing(
            key,
            {
              ...{ version, segment_count, updated_at, document },
              ...(isJudged && { stale }),
              ...(isMade && { made_by }),
            },
            { condition: '#version = :seen', values: { seen: head.version } },
          ),
        },
        { put: { ...this.#versionItem(next), ...(did && { did }) } },
        ...staleMarks,
      ]);
      return true;
    } catch (error) {
      // Any other error leaves it open whether the head names the document now.
      if (!isCancelled(error)) throw error;
      const refused = error instanceof TransactionRefused ? error : null;
      // Refused because it was made: the answer to a first attempt was lost.
      if (refused?.actions[1]?.current?.document === document) return true;
      await this.#objects.delete(document);
      if (refused === null) throw error;
      requireStaying(head.asset_id, refused);
      return false;
    }
  }

  /** Removes an old version, but never the first. What dies before it can leaves one that stays readable. */
  async #forget({ asset_id, transcription_id }: StoredTranscription, version: number): Promise<void> {
    if (version <= 1) return;
    const key = transcriptionVersionKey(this.#tenant, asset_id, transcription_id, version);
    const old = await this.#table.get<StoredTranscription>(key);
    if (old === null) return;
    await this.#objects.delete(old.document);
    await this.#table.delete(key);
  }

  /**
   * A translation that ended between the look at translations and the edit is not marked by it, and did not see it. It looks
   * for edits once it is written, and this looks for it once the edit is: one of the two sees the other.
   */
  async #markLateOnes({ asset_id, source }: StoredTranscription): Promise<void> {
    if (source !== 'transcribed') return;
    const late = (await this.list(asset_id)).filter((other) => other.source === 'translated' && !other.stale);
    for (const translation of late) await this.markStale(translation);
  }

  async #staleMarks({ asset_id, source }: StoredTranscription): Promise<Write[]> {
    if (source !== 'transcribed') return [];
    const outdated = (await this.list(asset_id)).filter(
      (other) => other.source === 'translated' && !other.stale,
    );
    return outdated.slice(0, MAX_TRANSLATIONS).map(({ transcription_id }) => ({
      update: changing(
        transcriptionKey(this.#tenant, asset_id, transcription_id),
        { stale: true },
        { condition: present },
      ),
    }));
  }

  async #write({ document }: StoredTranscription, segments: readonly Segment[]): Promise<void> {
    await this.#objects.write(
      document,
      zlib().gzipSync(JSON.stringify({ segments })),
      'application/json',
      'gzip',
    );
  }

  #versionItem(head: StoredTranscription) {
    const key = transcriptionVersionKey(this.#tenant, head.asset_id, head.transcription_id, head.version);
    return { ...key, ...versionOf(head) };
  }

  #documentKey({ asset_id, transcription_id, version }: Transcription, edit: string): string {
    return derivedKey(
      this.#tenant,
      asset_id,
      'transcription',
      transcription_id,
      `v${version}-${edit}.json.gz`,
    );
  }
}

/** The transcriptions of an asset, oldest first: for those who open no document, and therefore need no S3. */
export async function transcriptionsOf(
  table: TenantTable,
  tenant: TenantId,
  assetId: AssetId,
): Promise<StoredTranscription[]> {
  const pk = assetPartition(tenant, assetId);
  const range = { pk, beginsWith: transcriptionsPrefix, consistent: true };
  return (await table.queryAll<StoredTranscription>(range)).map(storedHead);
}

const madeBy = ({ job_id, characters }: Making, version: number): MadeBy => ({
  job_id,
  version,
  ...(characters !== undefined && { characters }),
});

function unlessGone(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error;
}

/** The fields that callers see. */
export function transcriptionView({
  document: _,
  made_by: __,
  ...shown
}: StoredTranscription): Transcription {
  return shown;
}

/** What differs from version to version. */
function versionOf({ version, segment_count, updated_at, document }: StoredTranscription) {
  return { version, segment_count, updated_at, document };
}

function storedHead(item: StoredTranscription): StoredTranscription {
  const { transcription_id, asset_id, language_id, source, version, stale, segment_count } = item;
  const { created_at, updated_at, document, made_by } = item;
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
    document,
    ...(made_by && { made_by }),
  };
}
