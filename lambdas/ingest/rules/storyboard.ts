/** Which pictures tell a video: those of the storyboard, on sheets, and the one that stands for all. */
import type { AnalyzedPicture } from './span-findings.ts';

/** A picture on a sheet, in pixels of it, and the time for which it stands. */
export interface StoryboardTile {
  readonly start_ms: number;
  readonly end_ms: number;
  /** From 0. */
  readonly sheet: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tiles a row and rows a sheet. */
export const SHEET_SIDE = 10;
const SHEET = SHEET_SIDE ** 2;
/** The longer side of a tile. */
const TILE_PIXELS = 160;

/** A whole number of pixels, even for the colours. */
export function tileSize({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = TILE_PIXELS / Math.max(width, height);
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2));
  return { width: even(width), height: even(height) };
}

/** @param times of the pictures, in order; each stands until the next, the first from the beginning */
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

/** A picture with less is black, white, or of one colour. */
const FLAT = 12;
/** From here on more contrast tells no more. */
const RICH = 45;
/** Where in a video pictures are that introduce it, in parts of its duration. */
const EARLY = 0.2;

/** The one that stands for all: full of light and shade, and rather early. Null where there is none. */
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
