/** Storyboards and posters as callers see them, with temporary URLs. */

import { ADDRESS_LIFETIME_S, type Presigner } from '../../../platform/objects/presigner.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { Poster, StoryboardTile } from '../rules/analysis-types.ts';
import { storyboardVtt } from '../rules/storyboard-vtt.ts';

export async function storyboardView(
  asset_id: AssetId,
  found: readonly StoryboardTile[],
  addresses: Presigner,
  now: Date,
) {
  const keys = [...new Set(found.map(({ key }) => key))];
  const sheets = await Promise.all(keys.map((key) => addresses.download(key)));
  const tiles = found.map(({ key, ...tile }) => ({ ...tile, sheet: keys.indexOf(key) }));
  return { asset_id, sheets, tiles, webvtt: storyboardVtt(tiles, sheets), expires_at: expiry(now) };
}

export async function posterView({ key, ...poster }: Poster, addresses: Presigner, now: Date) {
  return { ...poster, url: await addresses.download(key), expires_at: expiry(now) };
}

const expiry = (now: Date) => new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString();
