/** Assets in the Core table: the item, its external id, and its index entries. */
import { writesOfDeletedJob, writesOfNewJob } from '../../../platform/jobs/job-records.ts';
import { published } from '../../../platform/outbox/event-log.ts';
import { assetEvent } from '../../../platform/outbox/events.ts';
import {
  absent,
  assetKey,
  clipIdOf,
  clipPointerKey,
  configurationKey,
  deletionKey,
  externalIdKey,
  facetKey,
  jobsPrefix,
  present,
} from '../../../platform/table/keys.ts';
import { retryOnConflict } from '../../../platform/table/retry-on-conflict.ts';
import { buildUpdate, ConditionFailed } from '../../../platform/table/table.ts';
import { type TenantTable, TransactionRefused, type Write } from '../../../platform/table/tenant-table.ts';
import {
  assetView,
  type LanguageOutcome,
  type NewAsset,
  newAsset,
  type OpenUpload,
  type Reached,
  type StoredAsset,
} from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import type { StoredJob } from '../../../shared/jobs.ts';
import { checked, nullable, number, assetId as parseAssetId } from '../../../shared/parse.ts';
import {
  InvalidState,
  NotFound,
  PreconditionFailed,
  Problem,
  UnknownReference,
} from '../../../shared/problems.ts';
import { type AssetFilters, facet, facetsOf, withinBounds } from '../rules/facets.ts';

/** The maximum number of index entries that are written together with their asset. A transaction has 100 writes. */
const FACETS_AT_ONCE = 90;

const CHANGE_ATTEMPTS = 8;

const storedAsset = checked<StoredAsset>({ asset_id: parseAssetId, version: number });

interface ProcessedAsset {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
}

type AssetEnd = Partial<StoredAsset> & { readonly status: 'ready' | 'failed' };

export class Assets {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
  }

  /** Creates the asset under `assetId`. A repeat with the same id returns the existing asset. */
  async create(assetId: AssetId, now: Date, given: NewAsset): Promise<StoredAsset> {
    const asset = newAsset(assetId, now, given);
    const writes: Write[] = [
      { put: { ...assetKey(this.#tenant, assetId), ...asset }, condition: absent },
      ...asset.facets.map((name) => ({ put: facetKey(this.#tenant, name, assetId) })),
      ...published(this.#tenant, assetEvent('asset.created', now, assetView(asset))),
    ];
    if (asset.collection_id !== null) {
      const collection = configurationKey(this.#tenant, 'collections', asset.collection_id);
      writes.push({ check: collection, condition: present });
    }
    if (asset.external_id !== null) {
      const owner = { ...externalIdKey(this.#tenant, asset.external_id), asset_id: assetId };
      writes.push({ put: owner, condition: `${absent} OR asset_id = :id`, values: { id: assetId } });
    }
    try {
      await this.#table.transact(writes);
      return asset;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const existing = error.actions[0]?.current;
      if (existing !== null && existing !== undefined) return storedAsset(existing);
      const refusedWrite = writes[error.actions.findIndex(({ failed }) => failed)];
      if (refusedWrite !== undefined && 'check' in refusedWrite) {
        const id = defined(asset.collection_id);
        throw new UnknownReference([{ pointer: '/collection_id', kind: 'collection', id }]);
      }
      throw new Problem(
        'external_id_conflict',
        `Another asset has the external_id ${JSON.stringify(asset.external_id)}.`,
        {
          findings: [{ pointer: '/external_id', code: 'not_unique', detail: 'Already used in this tenant.' }],
        },
      );
    }
  }

  async get(assetId: AssetId): Promise<StoredAsset> {
    const asset = await this.#table.get<StoredAsset>(assetKey(this.#tenant, assetId));
    if (asset === null) throw new NotFound('asset', assetId);
    return asset;
  }

  async getByExternalId(externalId: string): Promise<StoredAsset> {
    const owner = await this.#table.get<{ asset_id: AssetId }>(externalIdKey(this.#tenant, externalId));
    const asset = owner && (await this.#table.get<StoredAsset>(assetKey(this.#tenant, owner.asset_id)));
    if (!asset) throw new NotFound('asset with the external_id', externalId);
    return asset;
  }

  async getMany(assetIds: readonly AssetId[]): Promise<StoredAsset[]> {
    const keys = assetIds.map((assetId) => assetKey(this.#tenant, assetId));
    const found = await this.#table.getAll<StoredAsset>(keys);
    return found.filter((asset) => asset.status !== 'deleting');
  }

  /** Records the multipart upload. Returns the recorded upload id, which may be that of an earlier call. */
  async beginUpload(asset: StoredAsset, upload: OpenUpload, now: Date): Promise<string> {
    try {
      await this.#change(asset.asset_id, now, {
        set: {
          status: 'uploading',
          ...upload,
          ingest_job_id: null,
          stage: null,
          progress: 0,
          estimated_ready_at: null,
          error: null,
          source_tracks: [],
          source_findings: [],
          analyses: {},
          translations: [],
          voice_overs: [],
        },
        ...unchanged(asset),
      });
      return upload.upload_id;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const current = nullable(storedAsset)(error.current);
      if (current === null) throw new NotFound('asset', asset.asset_id);
      if (current.status === 'uploading' && current.upload_id !== null) return current.upload_id;
      throw new InvalidState(`The asset is ${current.status}; uploads are no longer accepted.`);
    }
  }

  /** Raises the number of parts of the open upload. */
  async promiseParts(asset: StoredAsset, upload: OpenUpload, now: Date): Promise<void> {
    const { upload_id, upload_parts } = upload;
    if (asset.upload_id === upload_id && (asset.upload_parts ?? 0) >= upload_parts) return;
    const condition =
      'upload_id = :upload AND (attribute_not_exists(upload_parts) OR upload_parts < :set_upload_parts)';
    const change = { set: { upload_parts }, condition, values: { upload: upload_id } };
    await this.#change(asset.asset_id, now, change).catch(unlessRefused);
  }

  /** Makes `job` the job that processes the asset. False if another job already processes it. */
  async beginProcessing(asset: StoredAsset, job: StoredJob<'ingest'>, now: Date): Promise<boolean> {
    const set = {
      status: 'processing',
      stage: 'upload',
      progress: 0,
      estimated_ready_at: null,
      error: null,
      ingest_job_id: job.job_id,
    } as const;
    const change = this.#changeOf(asset.asset_id, now, {
      set,
      condition: '#status = :uploading AND upload_id = :upload',
      values: { uploading: 'uploading', upload: asset.upload_id },
    });
    const { pk } = assetKey(this.#tenant, asset.asset_id);
    try {
      await this.#table.transact([
        { update: change },
        ...writesOfNewJob(this.#tenant, pk, job, now),
        ...published(this.#tenant, assetEvent('asset.processing', now, viewAfter(asset, set, now))),
      ]);
      return true;
    } catch (error) {
      if (error instanceof TransactionRefused) return false;
      throw error;
    }
  }

  /**
   * Raises the progress of an asset, and changes other fields. Ignores a lower progress, because steps run in
   * parallel and are retried. Changes nothing and returns null if the asset was deleted or another job
   * processes the asset.
   */
  async advance(
    { asset_id: assetId, job_id: jobId }: ProcessedAsset,
    reached: Reached,
    now: Date,
    facts: Partial<Omit<StoredAsset, 'version'>> = {},
  ): Promise<StoredAsset | null> {
    const isOurs = '#status = :processing AND ingest_job_id = :job';
    const values = { processing: 'processing', job: jobId };
    try {
      const condition = `${isOurs} AND #progress <= :set_progress`;
      return await this.#change(assetId, now, { set: { ...facts, ...reached }, condition, values });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const current = nullable(storedAsset)(error.current);
      if (current?.status !== 'processing' || current.ingest_job_id !== jobId) return null;
      if (Object.keys(facts).length === 0) return current;
    }
    return this.#change(assetId, now, { set: facts, condition: isOurs, values }).catch(unlessRefused);
  }

  /**
   * Ends the processing by the job and publishes the event. A repeat changes nothing. Changes nothing and returns
   * null if the asset was deleted, has another final state, or is processed by another job.
   * @param alongside returns more writes for the same transaction; called at each attempt
   */
  async settle(
    { asset_id, job_id }: ProcessedAsset,
    set: AssetEnd,
    now: Date,
    alongside: () => Promise<readonly Write[]> = async () => [],
  ): Promise<StoredAsset | null> {
    return this.#retryOnConflict(asset_id, async () => {
      const asset = await this.#table.get<StoredAsset>(assetKey(this.#tenant, asset_id));
      if (asset === null || asset.status === 'deleting' || asset.ingest_job_id !== job_id) return null;
      if (asset.status !== 'processing') return asset.status === set.status ? asset : null;
      await this.#table.transact([...this.#endWrites(asset, set, now), ...(await alongside())]);
      return { ...asset, ...set };
    });
  }

  /**
   * The writes that end the processing by the job and publish the event. DynamoDB refuses them if the asset changes before they
   * are made. Empty if this job does not process the asset any more.
   */
  async endingWrites(
    { asset_id, job_id }: ProcessedAsset,
    now: Date,
    endOf: (asset: StoredAsset) => AssetEnd,
  ): Promise<Write[]> {
    const asset = await this.#table.get<StoredAsset>(assetKey(this.#tenant, asset_id));
    if (asset?.status !== 'processing' || asset.ingest_job_id !== job_id) return [];
    return this.#endWrites(asset, endOf(asset), now);
  }

  #endWrites(asset: StoredAsset, set: AssetEnd, now: Date): Write[] {
    const event = assetEvent(`asset.${set.status}`, now, viewAfter(asset, set, now));
    return [this.#changeSeen(asset, set, now), ...published(this.#tenant, event)];
  }

  /** Allows another upload. Called after the results of the canceled job are removed. A repeat changes nothing. */
  async cleared(assetId: AssetId, jobId: JobId, now: Date): Promise<void> {
    const set = { languages: [], clearing_job_id: null };
    const condition = 'clearing_job_id = :job';
    await this.#change(assetId, now, { set, condition, values: { job: jobId } }).catch(unlessRefused);
  }

  /** Adds a language and its index entry. A repeat changes nothing. */
  async addLanguage(assetId: AssetId, languageId: string, now: Date): Promise<void> {
    await this.#retryOnConflict(assetId, async () => {
      const asset = await this.get(assetId);
      if (asset.languages.includes(languageId) || asset.status === 'deleting') return;
      const name = facet('language_id', languageId);
      const set = { languages: [...asset.languages, languageId], facets: [...asset.facets, name] };
      await this.#table.transact([
        this.#changeSeen(asset, set, now),
        { put: facetKey(this.#tenant, name, assetId) },
      ]);
    });
  }

  /**
   * The writes for the transaction that ends a translation job. They record the outcomes and the languages of the
   * asset. DynamoDB refuses them if the asset changes before they are made. A language that is ready stays ready after
   * a later failure. Empty if nothing changes. Throws NotFound if the asset was deleted.
   */
  async translationWrites(
    assetId: AssetId,
    outcomes: readonly LanguageOutcome[],
    now: Date,
  ): Promise<Write[]> {
    const asset = await this.get(assetId);
    const translations = withOutcomes(asset.translations, outcomes);
    const added = outcomes
      .filter(({ status, language_id }) => status === 'ready' && !asset.languages.includes(language_id))
      .map(({ language_id }) => language_id);
    const isSame = JSON.stringify(translations) === JSON.stringify(asset.translations);
    if (asset.status === 'deleting' || (isSame && added.length === 0)) return [];
    const names = added.map((id) => facet('language_id', id));
    const set = {
      translations,
      languages: [...asset.languages, ...added],
      facets: [...asset.facets, ...names],
    };
    return [
      this.#changeSeen(asset, set, now),
      ...names.map((name) => ({ put: facetKey(this.#tenant, name, assetId) })),
    ];
  }

  /**
   * The write that records the outcomes of voice overs, for the transaction that creates their tracks. DynamoDB
   * refuses it if the asset changes before it is made. Throws NotFound while the asset is being deleted.
   */
  async voiceOverWrite(assetId: AssetId, outcomes: readonly LanguageOutcome[], now: Date): Promise<Write> {
    const asset = await this.get(assetId);
    if (asset.status === 'deleting') throw new NotFound('asset', assetId);
    const set = { voice_overs: withOutcomes(asset.voice_overs, outcomes) };
    return this.#changeSeen(asset, set, now);
  }

  /** The writes that move the asset and its index entries to a collection, or to none. Refused if the asset changed. */
  moveWrites(asset: StoredAsset, collection: string | null, now: Date): Write[] {
    const { asset_id: assetId, collection_id: from } = asset;
    const [left, joined] = [from, collection].map((one) =>
      one === null ? [] : [facet('collection_id', one)],
    );
    const kept = asset.facets.filter((name) => !defined(left).includes(name));
    const change = this.#changeOf(assetId, now, {
      set: { collection_id: collection, facets: [...kept, ...defined(joined)] },
      condition: '#version = :seen AND #status <> :deleting',
      values: { seen: asset.version, deleting: 'deleting' },
    });
    return [
      { update: change },
      ...defined(left).map((name) => ({ delete: facetKey(this.#tenant, name, assetId) })),
      ...defined(joined).map((name) => ({ put: facetKey(this.#tenant, name, assetId) })),
    ];
  }

  /**
   * Lists the asset under exactly these values of one filter, in several transactions if there are many. If the item
   * has no room for all values, lists only the first ones. So a text with very many names cannot fail the job.
   */
  async relist(
    assetId: AssetId,
    filter: keyof AssetFilters,
    values: readonly string[],
    now: Date,
  ): Promise<void> {
    const wanted = new Set(withinBounds(facetsOf(filter, values)));
    while (await this.#relistSome(assetId, filter, wanted, now));
  }

  /** Adds and removes the entries that fit into one transaction. True if more entries are left. */
  #relistSome(
    assetId: AssetId,
    filter: keyof AssetFilters,
    wanted: ReadonlySet<string>,
    now: Date,
  ): Promise<boolean> {
    return this.#retryOnConflict(assetId, async () => {
      const asset = await this.get(assetId);
      const isOther = (name: string) => name.startsWith(`${filter}#`) && !wanted.has(name);
      const others = asset.facets.filter(isOther);
      const listed = new Set(asset.facets);
      const missing = [...wanted].filter((name) => !listed.has(name));
      if (asset.status === 'deleting' || others.length + missing.length === 0) return false;
      const removed = others.slice(0, FACETS_AT_ONCE);
      const added = missing.slice(0, FACETS_AT_ONCE - removed.length);
      const facets = [...asset.facets.filter((name) => !removed.includes(name)), ...added];
      await this.#table.transact([
        this.#changeSeen(asset, { facets }, now),
        ...removed.map((name) => ({ delete: facetKey(this.#tenant, name, assetId) })),
        ...added.map((name) => ({ put: facetKey(this.#tenant, name, assetId) })),
      ]);
      return removed.length < others.length || added.length < missing.length;
    });
  }

  /** Marks the asset as `deleting`, and removes it from the index. The DeleteAsset machine deletes its data. */
  async beginDeletion(assetId: AssetId, now: Date, ifMatch: string | undefined): Promise<void> {
    await this.#retryOnConflict(assetId, async () => {
      const asset = await this.get(assetId);
      if (ifMatch !== undefined && ifMatch !== etagOf(asset)) throw new PreconditionFailed(etagOf(asset));
      if (asset.status === 'deleting') return;
      const set = { status: 'deleting', stage: null } as const;
      const entries = asset.facets.slice(0, FACETS_AT_ONCE);
      await this.#table.transact([
        this.#changeSeen(asset, set, now),
        ...entries.map((name) => ({ delete: facetKey(this.#tenant, name, assetId) })),
        { announce: deletionKey(assetId) },
        ...published(this.#tenant, assetEvent('asset.deleted', now, viewAfter(asset, set, now))),
      ]);
    });
  }

  /** Deletes the rest of an asset: index entries, children, then the item with its external id. */
  async erase(assetId: AssetId): Promise<void> {
    const key = assetKey(this.#tenant, assetId);
    const asset = await this.#table.get<StoredAsset>(key);
    if (asset === null || asset.status !== 'deleting') return;
    for (const name of asset.facets) await this.#table.delete(facetKey(this.#tenant, name, assetId));
    const jobs = await this.#table.queryAll<StoredJob>({ pk: key.pk, beginsWith: jobsPrefix() });
    for (const job of jobs) await this.#table.transact(writesOfDeletedJob(this.#tenant, job));
    for (const child of await this.#table.queryAll({ pk: key.pk, only: [] })) {
      if (child.sk === key.sk) continue;
      const clip = clipIdOf(child);
      if (clip !== null) await this.#table.delete(clipPointerKey(this.#tenant, clip));
      await this.#table.delete(child);
    }
    const last: Write[] = [{ delete: key }, { withdraw: deletionKey(assetId) }];
    if (asset.external_id !== null) last.push({ delete: externalIdKey(this.#tenant, asset.external_id) });
    await this.#table.transact(last);
  }

  #retryOnConflict<T>(assetId: AssetId, attempt: () => Promise<T>): Promise<T> {
    return retryOnConflict({ kind: 'asset', id: assetId, attempts: CHANGE_ATTEMPTS }, attempt);
  }

  async #change(assetId: AssetId, now: Date, change: Change): Promise<StoredAsset> {
    return this.#table.update<StoredAsset>(this.#changeOf(assetId, now, change));
  }

  /** A change that DynamoDB refuses if the asset has changed since it was read. */
  #changeSeen(asset: StoredAsset, set: Change['set'], now: Date): Write {
    return { update: this.#changeOf(asset.asset_id, now, { set, ...unchanged(asset) }) };
  }

  /** The update for a change. It also increases the version, which is the ETag, and sets `updated_at`. */
  #changeOf(assetId: AssetId, now: Date, { set, condition, values }: Change) {
    const fields = { ...set, updated_at: now.toISOString() };
    return buildUpdate(assetKey(this.#tenant, assetId), fields, { raises: 'version', condition, values });
  }
}

interface Change {
  readonly set: Partial<Omit<StoredAsset, 'version'>>;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const unchanged = ({ version }: StoredAsset) => ({
  condition: '#version = :seen',
  values: { seen: version },
});

function unlessRefused(error: unknown): null {
  if (error instanceof ConditionFailed) return null;
  throw error;
}

export const etagOf = (asset: Pick<StoredAsset, 'version'>): string => String(asset.version);

const viewAfter = (asset: StoredAsset, set: Partial<StoredAsset>, now: Date) =>
  assetView({ ...asset, ...set, updated_at: now.toISOString() });

function withOutcomes(
  before: readonly LanguageOutcome[],
  outcomes: readonly LanguageOutcome[],
): LanguageOutcome[] {
  const known = new Map(before.map((outcome) => [outcome.language_id, outcome]));
  for (const outcome of outcomes) {
    const isReady = known.get(outcome.language_id)?.status === 'ready';
    if (!isReady) known.set(outcome.language_id, outcome);
  }
  return [...known.values()];
}
