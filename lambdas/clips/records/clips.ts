/** Video clips: items of their asset, each with a pointer that leads from its id alone to the asset. */

import type { AssetId } from '../../../platform/shared/ids.ts';
import { NotFound, UnknownReference } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { AssetChildren, requireStaying, staying } from '../../../platform/store/asset-children.ts';
import type { Position } from '../../../platform/store/id-pages.ts';
import type { PageOfItems } from '../../../platform/store/item-pages.ts';
import { absent, clipKey, clipPointerKey } from '../../../platform/store/keys.ts';
import { type TenantTable, TransactionRefused } from '../../../platform/store/table.ts';
import type { VideoClip } from '../rules/clips.ts';

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

  /** The clip of that id, whatever its asset. */
  async getById(id: string): Promise<VideoClip> {
    const pointer = await this.#table.get<{ asset_id: AssetId }>(clipPointerKey(this.#tenant, id));
    const clip = pointer && (await this.#items.find(pointer.asset_id, id));
    if (!clip) throw new NotFound('clip', id);
    return clip;
  }

  /** The clips of those ids; throws unknown_reference for those that are not of the asset. */
  async getMany(assetId: AssetId, ids: readonly string[], pointer: string): Promise<VideoClip[]> {
    const keys = ids.map((id) => clipKey(this.#tenant, assetId, id));
    const found = await this.#table.getAll<VideoClip>(keys);
    const known = new Set(found.map(({ sk }) => sk));
    const missing = ids.flatMap((id, at) =>
      known.has(keys[at]!.sk) ? [] : [{ pointer: `${pointer}/${at}`, kind: 'video clip', id }],
    );
    if (missing.length > 0) throw new UnknownReference(missing);
    return found;
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
}
