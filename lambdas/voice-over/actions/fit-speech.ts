/** Speaks the text of a segment so that it fits the segment's time. */
import type { SpeechEngine } from '../../../engines/speech/port.ts';
import { isSpeakable } from '../../../engines/speech/speakable-text.ts';
import type { MediaTools } from '../../../media/ffmpeg/serve-ranges.ts';
import { speedUpSpeech } from '../../../media/ffmpeg/speed-up-speech.ts';
import { PROGRAMME_LUFS, PROGRAMME_RATE } from '../../../media/sound/broadcast-sound.ts';
import { resample } from '../../../media/sound/resample.ts';
import { measureSpeechLoudness } from '../../../media/sound/speech-loudness.ts';
import { peakOf, trimSpeech } from '../../../media/sound/trim-speech.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import {
  type FitReport,
  fitSlot,
  MOST_ATTEMPTS,
  nextRate,
  type Slot,
  tempoFor,
} from '../rules/speech-fit.ts';

export interface SpokenPiece extends Slot {
  readonly text: string;
}

export interface FittedSpeech {
  /** Mono, 48 kHz, at the loudness of EBU R128. Speech begins at the first sample. Silence fills the rest of the slot. */
  readonly samples: Int16Array;
  readonly report: FitReport;
}

/** Increases when the engine speaks the same arguments differently. The names of stored results include it. */
export const FITTING_VERSION = 1;

const SAMPLES_PER_MS = PROGRAMME_RATE / 1000;
/** The highest sample: -1 dB of full scale. Low voices have high peaks. */
const MOST_SAMPLE = 29_204;

interface Using {
  /** An engine for voices, cloned or not. */
  readonly engine: Pick<SpeechEngine, 'speak'>;
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
}

interface Spoken {
  readonly samples: Int16Array;
  readonly rate: number;
  readonly characters: number;
}

/**
 * Speaks a text. The result depends only on the arguments, as far as the engine allows. A text without words becomes
 * silence, without a request to the engine. Rethrows the engine's errors.
 */
export async function fittedSpeech(
  piece: SpokenPiece,
  voice: { readonly language: string; readonly voice: string },
  using: Using,
): Promise<FittedSpeech> {
  const spoken = isSpeakable(piece.text) ? await spokenInTime(piece, voice, using) : nothing;
  const tempo = tempoFor(lengthOf(spoken.samples), piece);
  const { tools, signal } = using;
  const sped = tempo === 1 ? spoken.samples : await speedUpSpeech(tools, spoken.samples, tempo, { signal });
  const speech = loudAsAsked(sped);
  const spoken_ms = lengthOf(speech);
  const { rate, characters } = spoken;
  return {
    samples: padded(speech, piece.slot_ms),
    report: { rate, tempo, spoken_ms, ...fitSlot(spoken_ms, piece), characters },
  };
}

const nothing: Spoken = { samples: new Int16Array(0), rate: 1, characters: 0 };

/** Repeats the request at a faster rate, as long as the fit improves. Counts the characters of all requests. */
async function spokenInTime(
  piece: SpokenPiece,
  voice: { readonly language: string; readonly voice: string },
  { engine, signal }: Using,
): Promise<Spoken> {
  let spoken = nothing;
  let rate: number | null = 1;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS && rate !== null; attempt++) {
    const speech = await engine.speak(piece.text, { ...voice, rate, signal });
    const samples = trimSpeech(resample(speech.samples, speech.sample_rate, PROGRAMME_RATE), PROGRAMME_RATE);
    spoken = { samples, rate, characters: spoken.characters + speech.characters };
    rate = nextRate(lengthOf(samples), rate, piece);
  }
  return spoken;
}

/** Duration in whole milliseconds, rounded up. */
const lengthOf = (samples: Int16Array) => Math.ceil(samples.length / SAMPLES_PER_MS);

/** Normalizes each piece before mixing, so that all voices are equally loud. */
function loudAsAsked(samples: Int16Array): Int16Array {
  const loudness = measureSpeechLoudness(samples);
  if (loudness === null) return samples;
  const gain = Math.min(10 ** ((PROGRAMME_LUFS - loudness) / 20), MOST_SAMPLE / Math.max(1, peakOf(samples)));
  const louder = new Int16Array(samples.length);
  for (let at = 0; at < samples.length; at++) louder[at] = Math.round(itemAt(samples, at) * gain);
  return louder;
}

function padded(speech: Int16Array, slot_ms: number): Int16Array {
  const samples = new Int16Array(Math.max(speech.length, Math.round(slot_ms * SAMPLES_PER_MS)));
  samples.set(speech);
  return samples;
}
