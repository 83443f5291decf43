/** A storyboard as WebVTT for players: each cue names a part of a picture (W3C Media Fragments §4.2.2). */

import { timestamp } from '../../subtitles/rules/timestamps.ts';

interface Tile {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly sheet: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param sheets URLs, by sheet number */
export function storyboardVtt(tiles: readonly Tile[], sheets: readonly string[]): string {
  const cues = tiles.map(({ start_ms, end_ms, sheet, x, y, width, height }) => {
    const times = `${timestamp(start_ms, '.')} --> ${timestamp(end_ms, '.')}`;
    return `${times}\n${sheets[sheet]}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}
