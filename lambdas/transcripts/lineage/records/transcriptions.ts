/**
 * Transcriptions. Each has a head item, which names the newest version. Each version has one immutable gzipped document
 * with its segments. An edit writes a new document. Then it updates the head, but only if the head has not changed
 * since it was read (optimistic lock). If another edit was faster, this edit deletes its own document and reads the
 * head again. Each version also has an item. The first version stays readable, and the newest ones: a thousand, or
 * as many as take 64 MiB.
 */
import { readGzippedJson, writeGzippedJson } from '../../../../platform/objects/gzipped-json.ts';
import { assetPrefix, derivedKey, type MediaObjects } from '../../../../platform/objects/media-objects.ts';
import { checkAssetExists, requireAssetExists } from '../../../../platform/records/asset-children.ts';
import { backoff } from '../../../../platform/table/backoff.ts';
import { type PageOfItems, type Position, pageOfItems } from '../../../../platform/table/id-pages.ts';
import {
  absent,
  assetPartition,
  present,
  transcriptionKey,
  transcriptionsPrefix,
  transcriptionVersionKey,
  transcriptionVersionsPrefix,
} from '../../../../platform/table/keys.ts';
import { buildUpdate, type Key, type Update } from '../../../../platform/table/table.ts';
import {
  isCancelled,
  type TenantTable,
  TransactionRefused,
  type Write,
} from '../../../../platform/table/tenant-table.ts';
import type { AssetId, TenantId } from '../../../../shared/ids.ts';
import { list, nullable, shape, text } from '../../../../shared/parse.ts';
import { NotFound, WriteConflict } from '../../../../shared/problems.ts';
import type { Covered, Segment } from '../../../../shared/segments.ts';
import { type Content, omittedByHand } from '../rules/missing.ts';
import {
  type MadeBy,
  type StoredTranscription,
  segmentsDocument,
  storedTranscription,
  storedVersion,
  type Transcription,
  type VersionChange,
  versionChange,
} from './transcription-items.ts';

/** The context of an edit: its time, its description, and its checks. */
export interface Editor {
  readonly now: Date;
  /** Makes ids for the names of documents. */
  readonly newId: () => string;
  /** Shown in the list of versions. */
  readonly description?: VersionChange;
  /**
   * Decides whether a stale translation is still stale after a person's edit. Without this function, an edit keeps the
   * stale mark.
   */
  readonly isStale?: (content: Content) => boolean;
  /**
   * Set if a job edits a translation. Returns the fields of the head that the job sets. `stale` says whether any part
   * differs from the current original.
   */
  readonly making?: (content: Content) => Omit<MadeBy, 'version'> & { readonly stale: boolean };
  /** Returns the originals that the edited translation leaves out. Without this function, a person made the edit. */
  readonly omitting?: (before: Content, after: readonly Segment[]) => readonly Covered[] | undefined;
  /** Throws if the caller may not edit this version. */
  readonly requireEditable?: (head: StoredTranscription) => void;
  /** The transcription as the caller read it. With a snapshot, the first attempt does not read the transcription again. */
  readonly snapshot?: Snapshot;
}

/** A transcription at the time of reading, and the heads of all transcriptions of its asset, oldest first. */
export interface Snapshot extends Content {
  readonly head: StoredTranscription;
  readonly heads: readonly StoredTranscription[];
}

/** Returns the edited segments. Null if the edit changes nothing. */
export type Edit = (segments: readonly Segment[], head: StoredTranscription) => readonly Segment[] | null;

/** The maximum number of retries of an edit. An edit is retried if another edit was faster. */
const RETRIES = 5;
/** The first delay before a retry, ms. It doubles with every retry. */
const RETRY_BASE_MS = 80;
/** The maximum number of translations that an edit marks as stale: a transaction has 100 writes. Assets have fewer translations. */
const MAX_TRANSLATIONS = 90;
/**
 * Limits for the newest versions that stay readable: their number, and their bytes if each version is as large as the
 * newest one. With an hour of speech, a version has 50 KB, so small edits could otherwise store gigabytes. The first
 * version and the `least` newest ones always stay readable.
 */
export const keptVersions = { most: 1000, bytes: 64 << 20, least: 20 };
/** An edit removes at most this many old versions: more than it adds, so that their number falls to the limit. */
const REMOVED_AT_ONCE = 3;

export class Transcriptions {
  readonly #table: TenantTable;
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;
  readonly #kept: typeof keptVersions;

  constructor(table: TenantTable, objects: MediaObjects, tenant: TenantId, kept = keptVersions) {
    this.#table = table;
    this.#objects = objects;
    this.#tenant = tenant;
    this.#kept = kept;
  }

  list(assetId: AssetId): Promise<readonly StoredTranscription[]> {
    return transcriptionsOf(this.#table, this.#tenant, assetId);
  }

  async page(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<StoredTranscription>> {
    const place = { pk: assetPartition(this.#tenant, assetId), prefix: 'TR' };
    const { items, ...page } = await pageOfItems(this.#table, place, position, size);
    return { ...page, items: items.map((item) => storedTranscription(item)) };
  }

  async get(assetId: AssetId, id: string): Promise<StoredTranscription> {
    const found = await this.find(assetId, id);
    if (found === null) throw new NotFound('transcription', id);
    return found;
  }

  async find(assetId: AssetId, id: string): Promise<StoredTranscription | null> {
    return nullable(storedTranscription)(await this.#table.get(transcriptionKey(this.#tenant, assetId, id)));
  }

  async snapshot(assetId: AssetId, id: string): Promise<Snapshot> {
    const heads = await this.list(assetId);
    const head = heads.find(({ transcription_id }) => transcription_id === id);
    if (head === undefined) throw new NotFound('transcription', id);
    return { head, heads, ...(await this.content(head)) };
  }

  async atVersion(head: StoredTranscription, version: number): Promise<StoredTranscription> {
    if (version === head.version) return head;
    const found = nullable(storedVersion)(await this.#table.get(this.#versionKey(head, version)));
    if (found === null) throw new NotFound('version', String(version));
    const { did: _, ...own } = found;
    return { ...head, ...own };
  }

  /** The versions that are still readable, newest first. */
  async versions(head: StoredTranscription) {
    const { pk } = this.#keyOf(head);
    const beginsWith = transcriptionVersionsPrefix(head.transcription_id);
    const range = { pk, beginsWith, newestFirst: true, consistent: true };
    const items = list(storedVersion)(await this.#table.queryAll(range));
    return items.map(({ version, updated_at, segment_count, did }) => {
      const change = did ?? (version === 1 ? versionChange('created', segment_count) : null);
      return { version, created_at: updated_at, segment_count, change };
    });
  }

  async content({ transcription_id, document }: StoredTranscription): Promise<Content> {
    const found = await readGzippedJson(document, this.#objects, segmentsDocument);
    if (found === null) throw new NotFound('transcription', transcription_id);
    return found;
  }

  async segments(head: StoredTranscription): Promise<readonly Segment[]> {
    return (await this.content(head)).segments;
  }

  /** Writes the first version. A repeat returns the existing transcription unchanged. */
  async create(
    head: Transcription & Pick<StoredTranscription, 'made_by'>,
    segments: readonly Segment[],
    omitted: Content['omitted'] = [],
  ): Promise<Transcription> {
    const existing = await this.find(head.asset_id, head.transcription_id);
    if (existing !== null) return existing;
    // A repeated step overwrites its own document. If two jobs race, each writes its own document.
    const stored = { ...head, document: this.#documentKey(head, head.made_by?.job_id ?? 'first') };
    await this.#write(stored.document, { segments, omitted });
    try {
      await this.#table.transact([
        checkAssetExists(this.#tenant, head.asset_id),
        { put: { ...this.#keyOf(head), ...stored }, condition: absent },
        { put: this.#versionItem(stored) },
      ]);
      return head;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const made = nullable(storedTranscription)(error.actions[1]?.current ?? null);
      if (made?.document !== stored.document) await this.#objects.delete(stored.document);
      if (made) return made;
      requireAssetExists(head.asset_id, error);
      throw error;
    }
  }

  async markStale(head: Transcription): Promise<void> {
    await this.#table.tryUpdate(this.#staleMark(head));
  }

  /**
   * Removes the stale mark of a translation. Does nothing if the translation or one of its originals has changed since
   * it was read. A later edit of an original marks the translation again.
   */
  async clearStaleMark(
    translation: StoredTranscription,
    originals: readonly StoredTranscription[],
  ): Promise<void> {
    const names = { '#version': 'version' };
    try {
      await this.#table.transact([
        { update: buildUpdate(this.#keyOf(translation), { stale: false }, asSeen(translation)) },
        ...originals.map((one) => ({ check: this.#keyOf(one), ...asSeen(one), names })),
      ]);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  }

  /**
   * Removes a transcription that a job made. Returns false without removing it if a person has edited it, or another
   * job has translated it again.
   */
  async withdraw(head: StoredTranscription, jobId: string): Promise<boolean> {
    const isUntouched = {
      condition: '#version = :one AND made_by.job_id = :job',
      names: { '#version': 'version' },
    };
    try {
      await this.#table.transact([
        { delete: this.#keyOf(head), ...isUntouched, values: { one: 1, job: jobId } },
        { delete: this.#versionKey(head, 1) },
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused) return false;
      throw error;
    }
    await this.#objects.delete(head.document);
    return true;
  }

  /** Removes documents that a job wrote before it crashed. No version refers to these documents. */
  async removeUnnamed(assetId: AssetId, jobId: string): Promise<void> {
    const prefix = `${assetPrefix(this.#tenant, assetId)}derived/transcription/`;
    const written = (await this.#objects.keys(prefix)).filter((key) => key.endsWith(`-${jobId}.json.gz`));
    if (written.length === 0) return;
    const pk = assetPartition(this.#tenant, assetId);
    const beginsWith = transcriptionVersionsPrefix('').slice(0, -1);
    const items = await this.#table.queryAll({ pk, beginsWith, only: ['document'] });
    const named = new Set(list(shape({ document: text }))(items).map(({ document }) => document));
    for (const key of written.filter((one) => !named.has(one))) await this.#objects.delete(key);
  }

  /**
   * Removes a transcription, its versions and their documents. The head is removed last, so that a repeat can continue.
   */
  async remove(assetId: AssetId, id: string): Promise<void> {
    const head = transcriptionKey(this.#tenant, assetId, id);
    await this.#objects.deleteAll(
      derivedKey(this.#tenant, assetId, { step: 'transcription', version: id, name: '' }),
    );
    const beginsWith = transcriptionVersionsPrefix(id);
    const items = await this.#table.queryAll({ pk: head.pk, beginsWith, only: [] });
    for (const item of [...items, head]) await this.#table.delete(item);
  }

  /** Makes a new version. Throws write_conflict after the last retry. Rethrows the errors of `requireEditable`. */
  async edit(assetId: AssetId, id: string, editor: Editor, change: Edit): Promise<StoredTranscription> {
    let read = editor.snapshot ?? (await this.snapshot(assetId, id));
    for (let attempt = 0; ; attempt += 1) {
      const { head } = read;
      editor.requireEditable?.(head);
      const segments = change(read.segments, head);
      if (segments === null) return head;
      const omitted = (editor.omitting ?? omittedByHand)(read, segments);
      const content = { segments, omitted };
      const next = this.#successor(head, content, editor);
      // Reads the head before a retry, which is cheaper than writing a useless document.
      const isUnchanged = attempt === 0 || (await this.get(assetId, id)).version === head.version;
      const written = isUnchanged ? await this.#advance(read, next, content, editor) : null;
      if (written !== null) {
        await this.#removeVersions(next, written);
        await this.#markLateTranslations(head);
        return next;
      }
      if (attempt === RETRIES) throw new WriteConflict('transcription', id);
      await backoff(attempt, RETRY_BASE_MS);
      read = await this.snapshot(assetId, id);
    }
  }

  #successor(
    head: StoredTranscription,
    content: Content,
    { now, newId, isStale, making }: Editor,
  ): StoredTranscription {
    const version = head.version + 1;
    const { stale, ...maker } = making?.(content) ?? { stale: isStale?.(content) ?? head.stale };
    return {
      ...head,
      stale,
      ...('job_id' in maker && { made_by: { ...maker, version } }),
      version,
      segment_count: content.segments.length,
      updated_at: now.toISOString(),
      // The id makes the name unique. If two edits race for one version, each writes its own document.
      document: this.#documentKey({ ...head, version }, newId()),
    };
  }

  /** Writes the document and the head, and marks translations as stale. Returns the bytes of the document; null if the head has changed. */
  async #advance(
    { head, heads }: Snapshot,
    next: StoredTranscription,
    content: Content,
    { description: did }: Editor,
  ): Promise<number | null> {
    const bytes = await this.#write(next.document, content);
    const { version, segment_count, updated_at, document, stale, made_by } = next;
    const isMade = made_by?.version === version;
    const isJudged = isMade || stale !== head.stale;
    const changes = {
      ...{ version, segment_count, updated_at, document },
      ...(isJudged && { stale }),
      ...(isMade && { made_by }),
    };
    try {
      await this.#table.transact([
        checkAssetExists(this.#tenant, head.asset_id),
        { update: buildUpdate(this.#keyOf(head), changes, asSeen(head)) },
        { put: { ...this.#versionItem(next), ...(did && { did }) } },
        ...this.#staleMarks(head, heads),
      ]);
      return bytes;
    } catch (error) {
      // After any other error, the head may refer to the document, so the document must stay.
      if (!isCancelled(error)) throw error;
      const refused = error instanceof TransactionRefused ? error : null;
      // If the head refers to this document, the transaction had succeeded, but its response was lost and the SDK sent
      // it again.
      if (refused?.actions[1]?.current?.document === document) return bytes;
      await this.#objects.delete(document);
      if (refused === null) throw error;
      requireAssetExists(head.asset_id, refused);
      return null;
    }
  }

  /** Removes the oldest versions beyond the limit, but never the first. The next edits remove what a crash has left. */
  async #removeVersions(head: StoredTranscription, bytes: number): Promise<void> {
    const { most, bytes: room, least } = this.#kept;
    const last = head.version - Math.min(most, Math.max(least, Math.floor(room / bytes)));
    if (last <= 1) return;
    const { pk } = this.#keyOf(head);
    const beginsWith = transcriptionVersionsPrefix(head.transcription_id);
    const oldest = await this.#table.query({ pk, beginsWith, limit: REMOVED_AT_ONCE + 1 });
    for (const { version, document } of list(storedVersion)(oldest.items)) {
      if (version === 1 || version > last) continue;
      await this.#objects.delete(document);
      await this.#table.delete(this.#versionKey(head, version));
    }
  }

  /**
   * Marks translations that a job wrote during an edit. The edit did not see such a translation, and the job may not have
   * seen the edit. The edit and the job check again after their writes, so at least one finds the other's write.
   */
  async #markLateTranslations({ asset_id, source }: StoredTranscription): Promise<void> {
    if (source !== 'transcribed') return;
    for (const translation of (await this.list(asset_id)).filter(isFreshTranslation))
      await this.markStale(translation);
  }

  #staleMarks({ source }: StoredTranscription, heads: readonly StoredTranscription[]): Write[] {
    if (source !== 'transcribed') return [];
    return heads
      .filter(isFreshTranslation)
      .slice(0, MAX_TRANSLATIONS)
      .map((translation) => ({ update: this.#staleMark(translation) }));
  }

  #staleMark(head: Transcription): Update {
    return buildUpdate(this.#keyOf(head), { stale: true }, { condition: present });
  }

  /** @returns the size of the document in bytes */
  #write(document: string, { segments, omitted = [] }: Content): Promise<number> {
    return writeGzippedJson(document, this.#objects, { segments, ...(omitted.length > 0 && { omitted }) });
  }

  #versionItem(head: StoredTranscription) {
    const { version, segment_count, updated_at, document } = head;
    return { ...this.#versionKey(head, version), version, segment_count, updated_at, document };
  }

  #keyOf({ asset_id, transcription_id }: Transcription): Key {
    return transcriptionKey(this.#tenant, asset_id, transcription_id);
  }

  #versionKey({ asset_id, transcription_id }: Transcription, version: number): Key {
    return transcriptionVersionKey(this.#tenant, asset_id, transcription_id, version);
  }

  #documentKey({ asset_id, transcription_id, version }: Transcription, edit: string): string {
    const name = `v${version}-${edit}.json.gz`;
    return derivedKey(this.#tenant, asset_id, { step: 'transcription', version: transcription_id, name });
  }
}

/** The transcriptions of an asset, oldest first. Does not need S3, because it opens no document. */
export async function transcriptionsOf(
  table: TenantTable,
  tenant: TenantId,
  assetId: AssetId,
): Promise<readonly StoredTranscription[]> {
  const pk = assetPartition(tenant, assetId);
  const items = await table.queryAll({ pk, beginsWith: transcriptionsPrefix, consistent: true });
  return list(storedTranscription)(items);
}

const isFreshTranslation = ({ source, stale }: Transcription): boolean => source === 'translated' && !stale;

/** Condition of a write: the head has not changed since it was read. */
const asSeen = ({ version }: Transcription) => ({ condition: '#version = :seen', values: { seen: version } });
