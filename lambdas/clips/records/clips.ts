/** Video clips: items of their asset, each with a pointer item that finds the asset by the clip id. */
import {
  AssetChildren,
  checkAssetExists,
  requireAssetExists,
} from '../../../platform/records/asset-children.ts';
import type { PageOfItems, Position } from '../../../platform/table/id-pages.ts';
import { absent, clipKey, clipPointerKey, present } from '../../../platform/table/keys.ts';
import type { Update } from '../../../platform/table/table.ts';
import { type TenantTable, TransactionRefused, type Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import { checked, nullable, number, text } from '../../../shared/parse.ts';
import { InvalidState, NotFound, requireKnown } from '../../../shared/problems.ts';
import type { ClipRender, VideoClip } from '../rules/clips.ts';
import type { ClipIds } from './clip-files.ts';

export type RenderOutcome = { readonly render: ClipRender } | { readonly error: JobFailure };

const videoClip = checked<VideoClip>({ video_clip_id: text, version: number });

export class Clips {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #items: AssetChildren<VideoClip>;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
    this.#items = new AssetChildren(table, tenant, { prefix: 'CLIP', name: 'video clip' });
  }

  page(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<VideoClip>> {
    return this.#items.page(assetId, position, size);
  }

  get(assetId: AssetId, id: string): Promise<VideoClip> {
    return this.#items.get(assetId, id);
  }

  find(assetId: AssetId, id: string): Promise<VideoClip | null> {
    return this.#items.find(assetId, id);
  }

  async getById(id: string): Promise<VideoClip> {
    const pointer = await this.#table.get<{ asset_id: AssetId }>(clipPointerKey(this.#tenant, id));
    const clip = pointer && (await this.#items.find(pointer.asset_id, id));
    if (!clip) throw new NotFound('clip', id);
    return clip;
  }

  /** The clips in the order of the ids. Throws unknown_reference for ids that are not clips of the asset. */
  async getMany(assetId: AssetId, ids: readonly string[], pointer: string): Promise<VideoClip[]> {
    const keys = ids.map((id) => clipKey(this.#tenant, assetId, id));
    const found = await this.#table.getAll<VideoClip>(keys);
    const known = new Map(found.map((clip) => [clip.video_clip_id, clip]));
    requireKnown(ids, known, { pointer, kind: 'video clip' });
    return ids.map((id) => defined(known.get(id)));
  }

  /** Creates all clips: at most 49, because of the writes of a transaction. A repeat with the same ids returns them. */
  async create(assetId: AssetId, clips: readonly VideoClip[]): Promise<readonly VideoClip[]> {
    try {
      await this.#table.transact([
        checkAssetExists(this.#tenant, assetId),
        ...clips.flatMap((clip) => [
          { put: { ...clipKey(this.#tenant, assetId, clip.video_clip_id), ...clip }, condition: absent },
          { put: { ...clipPointerKey(this.#tenant, clip.video_clip_id), asset_id: assetId } },
        ]),
      ]);
      return clips;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      requireAssetExists(assetId, error);
      return Promise.all(clips.map(({ video_clip_id }) => this.#items.get(assetId, video_clip_id)));
    }
  }

  /** Marks the clip as pending for the job, until `endings` or `release`. Throws NotFound if the clip was deleted. */
  async begin(ids: ClipIds, jobId: JobId, now: Date): Promise<VideoClip> {
    const isNew = `${present} AND NOT contains(#pending, :job)`;
    await this.#update(ids, {
      expression:
        'SET #job_id = :job, #progress = :none, #updated_at = :now ADD #pending :own, #version :one',
      values: { job: jobId, none: 0, now: now.toISOString(), own: new Set([jobId]), one: 1 },
      condition: isNew,
    });
    return this.get(ids.asset_id, ids.video_clip_id);
  }

  /**
   * Gives the job the right to render the clip, which only one job can have. Takes the right from `over`, a job that has
   * ended. Returns null, or another job that has the right.
   */
  async claim(ids: ClipIds, jobId: JobId, over: JobId | null = null): Promise<JobId | null> {
    const isFree = `${present} AND (attribute_not_exists(#claim) OR #claim IN (:job, :over))`;
    const values = { job: jobId, over: over ?? jobId };
    const other = await this.#update(ids, { expression: 'SET #claim = :job', values, condition: isFree });
    return other?.claim ?? null;
  }

  /** Ends the job's right to render the clip, so that other jobs can get it. */
  async unclaim(ids: ClipIds, jobId: JobId): Promise<void> {
    const condition = '#claim = :job';
    await this.#update(ids, { expression: 'REMOVE #claim', values: { job: jobId }, condition });
  }

  /** Raises the progress, 0 to 1. A lower value is ignored. */
  async advance(ids: ClipIds, jobId: JobId, progress: number): Promise<void> {
    await this.#update(ids, {
      expression: 'SET #progress = :progress',
      values: { progress, job: jobId },
      condition: '#claim = :job AND #progress < :progress',
    });
  }

  async release(ids: ClipIds, jobId: JobId): Promise<void> {
    await this.unclaim(ids, jobId);
    await this.#update(ids, {
      expression: 'ADD #version :one DELETE #pending :own',
      values: { own: new Set([jobId]), one: 1, job: jobId },
      condition: 'contains(#pending, :job)',
    });
  }

  /** The writes that record the outcome on the clip, without replacing a newer file. Empty if the clip was deleted. */
  async endings(ids: ClipIds, jobId: JobId, end: RenderOutcome, now: Date): Promise<Write[]> {
    const clip = await this.find(ids.asset_id, ids.video_clip_id);
    if (clip === null) return [];
    const isOlder = 'render' in end && end.render.planned_at < (clip.render?.planned_at ?? '');
    const set = isOlder ? {} : 'render' in end ? { render: end.render, error: null } : { error: end.error };
    const names = [...Object.keys(set), 'updated_at'];
    const assignments = names.map((name) => `#${name} = :${name}`).join(', ');
    const isClaimed = clip.claim === jobId;
    const update = withNames({
      key: clipKey(this.#tenant, ids.asset_id, ids.video_clip_id),
      expression: `SET ${assignments}${isClaimed ? ' REMOVE #claim' : ''} ADD #version :one DELETE #pending :own`,
      values: {
        ...set,
        updated_at: now.toISOString(),
        one: 1,
        own: new Set([jobId]),
        seen: clip.version,
      },
      condition: '#version = :seen',
    });
    return [{ update }];
  }

  /** Throws invalid_state while the clip is pending for a job. */
  async delete(assetId: AssetId, id: string): Promise<void> {
    try {
      await this.#table.transact([
        {
          delete: clipKey(this.#tenant, assetId, id),
          condition: `${present} AND attribute_not_exists(#pending)`,
          names: { '#pending': 'pending' },
        },
        { delete: clipPointerKey(this.#tenant, id) },
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const clip = nullable(videoClip)(error.actions[0]?.current ?? null);
      if (clip === null) throw new NotFound('video clip', id);
      const [job] = clip.pending ?? [];
      throw new InvalidState(`The clip is being rendered. Cancel the job ${job} first.`);
    }
  }

  /** Returns null on success, or the current clip if it does not meet the condition. Throws NotFound if the clip was deleted. */
  async #update(ids: ClipIds, change: Omit<Update, 'key' | 'names'>): Promise<VideoClip | null> {
    const key = clipKey(this.#tenant, ids.asset_id, ids.video_clip_id);
    const { isDone, item } = await this.#table.tryUpdate(withNames({ key, ...change }));
    if (isDone) return null;
    if (item === null) throw new NotFound('video clip', ids.video_clip_id);
    return videoClip(item);
  }
}

/** Adds a placeholder for each attribute, because many are reserved words. */
function withNames(update: Update): Update {
  const mentioned = `${update.expression} ${update.condition ?? ''}`.match(/#\w+/g) ?? [];
  return { ...update, names: Object.fromEntries(mentioned.map((name) => [name, name.slice(1)])) };
}
