/** Video clips: items of their asset, each with a pointer that leads from its id alone to the asset. */

import { AssetChildren, requireStaying, staying } from '../../../platform/records/asset-children.ts';
import type { Position } from '../../../platform/table/id-pages.ts';
import type { PageOfItems } from '../../../platform/table/item-pages.ts';
import { absent, clipKey, clipPointerKey, present } from '../../../platform/table/keys.ts';
import {
  ConditionFailed,
  type TenantTable,
  TransactionRefused,
  type Update,
  type Write,
} from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { InvalidState, NotFound, UnknownReference } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { ClipRender, VideoClip } from '../rules/clips.ts';
import type { ClipIds } from './clip-keys.ts';

/** How a clip of a job ended: with a file, or with the reason why there is none. */
export type RenderOutcome = { readonly render: ClipRender } | { readonly error: JobFailure };

export class Clips {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #items: AssetChildren<VideoClip>;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
    this.#items = new AssetChildren(table, tenant, { prefix: 'CLIP', name: 'video clip' });
  }

  /** One page of the asset's clips, oldest first. */
  page(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<VideoClip>> {
    return this.#items.page(assetId, position, size);
  }

  get(assetId: AssetId, id: string): Promise<VideoClip> {
    return this.#items.get(assetId, id);
  }

  find(assetId: AssetId, id: string): Promise<VideoClip | null> {
    return this.#items.find(assetId, id);
  }

  /** The clip of that id, whatever its asset. */
  async getById(id: string): Promise<VideoClip> {
    const pointer = await this.#table.get<{ asset_id: AssetId }>(clipPointerKey(this.#tenant, id));
    const clip = pointer && (await this.#items.find(pointer.asset_id, id));
    if (!clip) throw new NotFound('clip', id);
    return clip;
  }

  /** The clips of those ids, in their order; throws unknown_reference for those that are not of the asset. */
  async getMany(assetId: AssetId, ids: readonly string[], pointer: string): Promise<VideoClip[]> {
    const keys = ids.map((id) => clipKey(this.#tenant, assetId, id));
    const found = await this.#table.getAll<VideoClip>(keys);
    const known = new Map(found.map((clip) => [clip.video_clip_id, clip]));
    const missing = ids.flatMap((id, at) =>
      known.has(id) ? [] : [{ pointer: `${pointer}/${at}`, kind: 'video clip', id }],
    );
    if (missing.length > 0) throw new UnknownReference(missing);
    return ids.map((id) => known.get(id)!);
  }

  /** Creates them all; a repeat under the same ids answers those that are there. At most 49 at once. */
  async create(assetId: AssetId, clips: readonly VideoClip[]): Promise<readonly VideoClip[]> {
    try {
      await this.#table.transact([
        staying(this.#tenant, assetId),
        ...clips.flatMap((clip) => [
          { put: { ...clipKey(this.#tenant, assetId, clip.video_clip_id), ...clip }, condition: absent },
          { put: { ...clipPointerKey(this.#tenant, clip.video_clip_id), asset_id: assetId } },
        ]),
      ]);
      return clips;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      requireStaying(assetId, error);
      return Promise.all(clips.map(({ video_clip_id }) => this.#items.get(assetId, video_clip_id)));
    }
  }

  /** From now on the job is to render the clip, until `endings` or `release` say otherwise. Throws where it is gone. */
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
   * One job renders a clip at a time. Null where it is this one from now on; else the one that does.
   * @param over a job that had the claim and has ended
   */
  async claim(ids: ClipIds, jobId: JobId, over: JobId | null = null): Promise<JobId | null> {
    const isFree = `${present} AND (attribute_not_exists(#claim) OR #claim IN (:job, :over))`;
    const values = { job: jobId, over: over ?? jobId };
    const other = await this.#update(ids, { expression: 'SET #claim = :job', values, condition: isFree });
    return other?.claim ?? null;
  }

  /** Others may render the clip now. */
  async unclaim(ids: ClipIds, jobId: JobId): Promise<void> {
    const condition = '#claim = :job';
    await this.#update(ids, { expression: 'REMOVE #claim', values: { job: jobId }, condition });
  }

  /** How far the job that renders it is, 0 to 1; less than is known already is ignored. */
  async advance(ids: ClipIds, jobId: JobId, progress: number): Promise<void> {
    await this.#update(ids, {
      expression: 'SET #progress = :progress',
      values: { progress, job: jobId },
      condition: '#claim = :job AND #progress < :progress',
    });
  }

  /** Nothing of what the job did for the clip counts: it is what it was before. */
  async release(ids: ClipIds, jobId: JobId): Promise<void> {
    await this.unclaim(ids, jobId);
    await this.#update(ids, {
      expression: 'ADD #version :one DELETE #pending :own',
      values: { own: new Set([jobId]), one: 1, job: jobId },
      condition: 'contains(#pending, :job)',
    });
  }

  /**
   * Writes that end what the job has to do with the clip; none where it is gone. A file that was planned before the one that
   * is there takes nothing's place.
   */
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

  /** Throws invalid_state while a job is to render it. */
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
      const clip = error.actions[0]!.current as unknown as VideoClip | null;
      if (clip === null) throw new NotFound('video clip', id);
      const [job] = clip.pending ?? [];
      throw new InvalidState(`The clip is being rendered: cancel the job ${job} first.`);
    }
  }

  /** Null where the change was made; else the clip as it stands, which the condition refuses. Throws where it is gone. */
  async #update(ids: ClipIds, change: Omit<Update, 'key' | 'names'>): Promise<VideoClip | null> {
    const key = clipKey(this.#tenant, ids.asset_id, ids.video_clip_id);
    try {
      await this.#table.update(withNames({ key, ...change }));
      return null;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.current === null) throw new NotFound('video clip', ids.video_clip_id);
      return error.current as unknown as VideoClip;
    }
  }
}

/** Every attribute goes through a placeholder, since many are reserved words. */
function withNames(update: Update): Update {
  const mentioned = `${update.expression} ${update.condition ?? ''}`.match(/#\w+/g) ?? [];
  return { ...update, names: Object.fromEntries(mentioned.map((name) => [name, name.slice(1)])) };
}
