/** Saves the poster and the storyboard of the film. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kinora, ProblemError } from '../../client/index.ts';
import { save } from './download.ts';
import type { Storyboard } from './watch-page.ts';

/** Saves the pictures next to the page. Null if the media has no picture. */
export async function savePictures(
  kinora: Kinora,
  asset_id: string,
  folder: string,
): Promise<Storyboard | null> {
  const { sheets, tiles } = await kinora.getStoryboard({ asset_id });
  const [first] = tiles;
  if (first === undefined) return null;
  await mkdir(folder, { recursive: true });
  const poster = (await savePoster(kinora, asset_id, join(folder, POSTER))) ? POSTER : null;
  const names = sheets.map((_, at) => `storyboard.${at + 1}.jpg`);
  await Promise.all(sheets.map((url, at) => save(url, join(folder, names[at]!))));
  const { width, height } = first;
  return {
    poster,
    tile_width: width,
    tile_height: height,
    tiles: tiles.map(({ start_ms, sheet, x, y }) => ({ start_ms, sheet: names[sheet]!, x, y })),
  };
}

const POSTER = 'poster.jpg';

/** @returns whether the asset has a poster */
async function savePoster(kinora: Kinora, asset_id: string, path: string): Promise<boolean> {
  try {
    const { url } = await kinora.getPoster({ asset_id });
    await save(url, path);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return false;
  }
}
