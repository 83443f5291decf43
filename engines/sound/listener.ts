/** Hears speech by its level alone: what rises out of the quietest tenth of the audio. Music and noise are speech to it. */
import type { Interval, Sound } from '../../platform/shared/sound.ts';

export interface SoundListener {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  end(): { sounds: Sound[]; utterances: Interval[] };
}

const FRAME = 160;
const FRAME_MS = 10;
const SILENCE_DB = -100;
/** Speech is that much louder than the room, and at least so loud. */
const ABOVE_ROOM_DB = 12;
const LEAST_DB = -50;
/** Pauses within a sentence are shorter, and so is what is left around it. */
const PAUSE_FRAMES = 40;
const PAD_FRAMES = 15;
const MAX_FRAMES = 2000;

export function createSoundListener(): SoundListener {
  const levels: number[] = [];
  let energy = 0;
  let count = 0;
  return {
    push(samples) {
      for (const sample of samples) {
        energy += (sample / 32_768) ** 2;
        count += 1;
        if (count % FRAME !== 0) continue;
        levels.push(Math.max(SILENCE_DB, 10 * Math.log10(energy / FRAME)));
        energy = 0;
      }
    },
    end() {
      const duration_ms = Math.floor(count / (FRAME / FRAME_MS));
      const runs = spokenRuns(levels);
      return {
        sounds: soundsOf(runs, levels, duration_ms),
        utterances: runs.flatMap((run) => shortened(run, levels)).map(inMs),
      };
    },
  };
}

/** From the first frame to the one behind the last. */
type Run = readonly [from: number, to: number];

const inMs = ([from, to]: Run): Interval => ({ start_ms: from * FRAME_MS, end_ms: to * FRAME_MS });

function spokenRuns(levels: readonly number[]): Run[] {
  const room = levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 10)] ?? SILENCE_DB;
  const least = Math.max(LEAST_DB, room + ABOVE_ROOM_DB);
  const runs: [number, number][] = [];
  levels.forEach((level, i) => {
    if (level < least) return;
    const last = runs.at(-1);
    if (last && i - last[1] < PAUSE_FRAMES) last[1] = i + 1;
    else runs.push([i, i + 1]);
  });
  return runs.map(([from, to]) => [Math.max(0, from - PAD_FRAMES), Math.min(levels.length, to + PAD_FRAMES)]);
}

/** In parts of at most 20 s, cut at the quietest frame of the second half. */
function shortened([from, to]: Run, levels: readonly number[]): Run[] {
  if (to - from <= MAX_FRAMES) return [[from, to]];
  const half = levels.slice(from + MAX_FRAMES / 2, from + MAX_FRAMES);
  const cut = from + MAX_FRAMES / 2 + half.indexOf(Math.min(...half));
  return [[from, cut], ...shortened([cut, to], levels)];
}

function soundsOf(runs: readonly Run[], levels: readonly number[], duration_ms: number): Sound[] {
  const sounds: Sound[] = [];
  const add = (kind: Sound['kind'], start_ms: number, end_ms: number) => {
    if (end_ms <= start_ms) return;
    const frames = levels.slice(start_ms / FRAME_MS, end_ms / FRAME_MS);
    const power = frames.reduce((sum, level) => sum + 10 ** (level / 10), 0) / frames.length;
    const level_db = frames.length === 0 ? SILENCE_DB : Math.round(10 * Math.log10(power));
    sounds.push({ kind, start_ms, end_ms, level_db });
  };
  for (const { start_ms, end_ms } of runs.map(inMs)) {
    add('silence', sounds.at(-1)?.end_ms ?? 0, start_ms);
    add('speech', start_ms, end_ms);
  }
  add('silence', sounds.at(-1)?.end_ms ?? 0, duration_ms);
  return sounds;
}
