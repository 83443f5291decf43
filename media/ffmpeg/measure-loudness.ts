/** Measures loudness with ffmpeg's filter `ebur128` (EBU R128, ITU-R BS.1770). */
import { ffmpegLines, type RunOptions } from './run-ffmpeg.ts';
import type { MediaTools } from './serve-ranges.ts';

export interface Loudness {
  /** Null for silence, and for sound shorter than 400 ms. */
  readonly integrated_lufs: number | null;
  /** Null for silence, or if no peak was measured. */
  readonly peak_db: number | null;
}

export interface MeasuringOptions {
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the position on the timeline, milliseconds. */
  readonly reached?: ((position_ms: number) => void) | undefined;
}

type Peaks = 'none' | 'sample' | 'true';

/** The value that the filter prints for silence. */
const SILENCE_LUFS = -70;

/** Returns filters that print the loudness for `measureLoudness`. With true peaks, measuring takes three times as long. */
export function loudnessFilters(peaks: Peaks): string {
  const print = (key: string) => `ametadata=mode=print:key=lavfi.r128.${key}:file=-`;
  if (peaks === 'none') return ['ebur128=metadata=1', print('I')].join();
  return [`ebur128=metadata=1:peak=${peaks}`, print('I'), print(`${peaks}_peak`)].join();
}

/** Runs ffmpeg with arguments that contain `loudnessFilters`. Throws as `ffmpegOutput` does. */
export async function measureLoudness(
  tools: MediaTools,
  args: readonly string[],
  { reached, ...options }: RunOptions & Pick<MeasuringOptions, 'reached'>,
): Promise<Loudness> {
  let [integrated, peak] = [SILENCE_LUFS, 0];
  for await (const line of ffmpegLines(tools, args, options)) {
    const [, name, value] = /(?:lavfi\.r128\.|pts_)(I|sample_peak|true_peak|time)[=:](\S+)/.exec(line) ?? [];
    if (name === 'I') integrated = Number(value);
    else if (name === 'time') reached?.(Number(value) * 1000);
    else if (name !== undefined) peak = Math.max(peak, Number(value));
  }
  const isHeard = integrated > SILENCE_LUFS;
  return {
    integrated_lufs: isHeard ? integrated : null,
    peak_db: peak > 0 ? Math.round(2000 * Math.log10(peak)) / 100 : null,
  };
}
