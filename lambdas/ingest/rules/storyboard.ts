/** The pictures that represent a video: storyboard tiles on sheets, and the poster. */
import type { AnalyzedPicture } from './span-findings.ts';

/** A picture on a sheet: its place and size in pixels, and the time that the picture represents. */
export interface StoryboardTile {
  readonly start_ms: number;
  readonly end_ms: number;
  /** The index of the sheet, from 0. */
  readonly sheet: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The number of tiles in a row, and of rows on a sheet. */
export const SHEET_SIDE = 10;
const SHEET = SHEET_SIDE ** 2;
/** The length of the longer side of a tile. */
const TILE_PIXELS = 160;

/** Tile size in pixels. Both sides are even, because chroma is subsampled. */
export function tileSize({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = TILE_PIXELS / Math.max(width, height);
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2));
  return { width: even(width), height: even(height) };
}

/** Each tile lasts until the next one. The first begins at 0. @param times the times of the pictures, in order */
export function tilesOf(
  times: readonly number[],
  duration_ms: number,
  { width, height }: { readonly width: number; readonly height: number },
): StoryboardTile[] {
  return times.map((at_ms, index) => ({
    start_ms: index === 0 ? 0 : at_ms,
    end_ms: Math.max(at_ms + 1, times[index + 1] ?? duration_ms),
    sheet: Math.floor(index / SHEET),
    x: (index % SHEET_SIDE) * width,
    y: (Math.floor(index / SHEET_SIDE) % SHEET_SIDE) * height,
    width,
    height,
  }));
}

/** The minimum contrast (`spread`) of a useful poster. A picture with less has nearly one color. */
const FLAT = 12;
/** More contrast than this does not make a better poster. */
const RICH = 45;
/** Preferred position of the poster, as a fraction of the duration. */
const EARLY = 0.2;

/** The poster: a picture with high contrast, near `EARLY`. Null if there are no pictures. */
export function posterOf<Some extends Pick<AnalyzedPicture, 'at_ms' | 'mean' | 'spread'>>(
  pictures: readonly Some[],
  duration_ms: number,
): Some | null {
  const worth = ({ at_ms, spread }: Some) => {
    if (spread < FLAT) return spread / (10 * FLAT);
    const late = Math.abs(at_ms / Math.max(1, duration_ms) - EARLY);
    return 1 + Math.min(1, spread / RICH) - late / 2;
  };
  return pictures.reduce<Some | null>(
    (best, one) => (best === null || worth(one) > worth(best) ? one : best),
    null,
  );
}
