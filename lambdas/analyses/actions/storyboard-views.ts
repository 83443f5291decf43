/** Storyboards and posters as callers see them, with temporary URLs. */
import { addressEnd, type Presigner } from '../../../platform/objects/presigner.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { timestamp } from '../../subtitles/rules/timestamps.ts';
import type { Poster, StoryboardTile, Tile } from '../rules/analysis-types.ts';

export async function storyboardView(
  asset_id: AssetId,
  found: readonly StoryboardTile[],
  addresses: Presigner,
  now: Date,
) {
  const keys = [...new Set(found.map(({ key }) => key))];
  const sheets = await Promise.all(keys.map((key) => addresses.download(key)));
  const tiles = found.map(({ key, ...tile }) => ({ ...tile, sheet: keys.indexOf(key) }));
  return { asset_id, sheets, tiles, webvtt: storyboardVtt(tiles, sheets), expires_at: addressEnd(now) };
}

/** WebVTT for players: each cue names a part of a sheet (W3C Media Fragments §4.2.2). @param sheets URLs */
function storyboardVtt(tiles: readonly Tile[], sheets: readonly string[]): string {
  const cues = tiles.map(({ start_ms, end_ms, sheet, x, y, width, height }) => {
    const times = `${timestamp(start_ms, '.')} --> ${timestamp(end_ms, '.')}`;
    return `${times}\n${sheets[sheet]}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

export async function posterView({ key, ...poster }: Poster, addresses: Presigner, now: Date) {
  return { ...poster, url: await addresses.download(key), expires_at: addressEnd(now) };
}
