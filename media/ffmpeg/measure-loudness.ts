/** Measures loudness with ffmpeg's filter `ebur128` (EBU R128, ITU-R BS.1770). */

import type { MediaTools } from './media-tools.ts';
import { ffmpegOutput, type RunOptions } from './run-ffmpeg.ts';

export interface Loudness {
  /** Null for silence, and for sound shorter than 400 ms. */
  readonly integrated_lufs: number | null;
  /** Null for silence, or if no peak was measured. */
  readonly peak_db: number | null;
}

type Peaks = 'none' | 'sample' | 'true';

/** The filter's value for silence. */
const SILENCE_LUFS = -70;

/** Filters that measure the sound and print the result for `measureLoudness`. True peaks take three times as long. */
export function loudnessFilters(peaks: Peaks): string {
  const print = (key: string) => `ametadata=mode=print:key=lavfi.r128.${key}:file=-`;
  if (peaks === 'none') return ['ebur128=metadata=1', print('I')].join();
  return [`ebur128=metadata=1:peak=${peaks}`, print('I'), print(`${peaks}_peak`)].join();
}

/**
 * Runs ffmpeg with arguments that contain `loudnessFilters`. Throws as `ffmpegOutput` does.
 * @param reached receives the position on the timeline, milliseconds
 */
export async function measureLoudness(
  tools: MediaTools,
  args: readonly string[],
  options: RunOptions,
  reached: (position_ms: number) => void = () => {},
): Promise<Loudness> {
  let [rest, integrated, peak] = ['', SILENCE_LUFS, 0];
  for await (const piece of ffmpegOutput(tools, args, options)) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const [, name, value] =
        /(?:lavfi\.r128\.|pts_)(I|sample_peak|true_peak|time)[=:](\S+)/.exec(line) ?? [];
      if (name === 'I') integrated = Number(value);
      else if (name === 'time') reached(Number(value) * 1000);
      else if (name !== undefined) peak = Math.max(peak, Number(value));
    }
  }
  const isHeard = integrated > SILENCE_LUFS;
  return {
    integrated_lufs: isHeard ? integrated : null,
    peak_db: peak > 0 ? Math.round(2000 * Math.log10(peak)) / 100 : null,
  };
}
