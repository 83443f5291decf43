/** A storyboard as players read it: WebVTT whose cues are parts of pictures, by media fragments (W3C Media Fragments §4.2.2). */

interface Tile {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly sheet: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param sheets addresses, by number */
export function storyboardVtt(tiles: readonly Tile[], sheets: readonly string[]): string {
  const cues = tiles.map(({ start_ms, end_ms, sheet, x, y, width, height }) => {
    const times = `${timestamp(start_ms)} --> ${timestamp(end_ms)}`;
    return `${times}\n${sheets[sheet]}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function timestamp(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${String(ms % 1000).padStart(3, '0')}`;
}
