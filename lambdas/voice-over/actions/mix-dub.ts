/** Mixes the speech of a voice over with the original sound, and writes the fit report. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import type { MixedDub } from '../rules/dub-outcomes.ts';
import type { FittedSegment } from '../rules/fit-report.ts';
import { threeLetterCode } from '../rules/language-codes.ts';
import { keptSpeech, type Speaking } from './cache-speech.ts';
import type { DubPiece } from './dub-timeline.ts';
import { renderTrack } from './render-track.ts';

export interface Original {
  readonly media: OpenMedia;
  /** The number of the audio track, from 1. Null if the media has none. */
  readonly track: number | null;
}

/** Time that is reserved for writing the result or the failure, ms. */
const TO_WRITE_MS = 60_000;

interface Mixing {
  readonly objects: MediaObjects;
  readonly soundKey: string;
  readonly onProgress: (fraction: number) => void;
  /** The remaining time of the step, ms. */
  readonly leftMs: () => number;
}

/** Mixes the voice over of a language. A repeat makes the same files. */
export async function mixedDub(
  original: Original,
  speaking: Speaking,
  { objects, soundKey, onProgress, leftMs }: Mixing,
): Promise<MixedDub> {
  const { files, ids, plan, tools, signal } = speaking;
  return inWorkFolder('mix-dub', async (folder) => {
    const output = join(folder, 'sound.m4a');
    const heard: (Omit<FittedSegment, 'late_ms' | 'cut_ms'> & { job_id: string })[] = [];
    const pieces = async function* (): AsyncGenerator<DubPiece> {
      for (const piece of plan.pieces) {
        const { samples, fit, job_id } = await keptSpeech(piece, speaking);
        heard.push({ ...piece, fit, job_id });
        yield { start_ms: piece.start_ms, samples, overflow_ms: fit.overflow_ms };
      }
    };
    const track = await renderTrack(
      {
        original: original.track === null ? null : { media: original.media, track: original.track },
        pieces: pieces(),
        speech_spans: plan.spoken,
        mute_original_voice: plan.config.mute_original_voice,
        duration_ms: plan.duration_ms,
        language: threeLetterCode(plan.language),
        output,
      },
      { tools, signal, onProgress, left_ms: () => leftMs() - TO_WRITE_MS },
    );
    const own = heard.filter(({ job_id }) => job_id === ids.job_id);
    const displaced = new Map(track.displaced.map((one) => [one.nth, one]));
    const { missing } = plan;
    const counts = { synthesised: own.length, kept: heard.length - own.length };
    const { integrated_lufs, true_peak_dbtp, codec, channels, sample_rate, duration_ms } = track;
    const size_bytes = await objects.writeParts(soundKey, createReadStream(output), 'audio/mp4', signal);
    await files.writeFit(ids, {
      ...{ integrated_lufs, true_peak_dbtp, ...counts },
      segments: heard.map(({ job_id: _, ...segment }, nth) => {
        const { late_ms = 0, cut_ms = 0 } = displaced.get(nth) ?? {};
        return { ...segment, late_ms, cut_ms };
      }),
      missing,
    });
    return {
      codec,
      channels,
      sample_rate,
      duration_ms,
      size_bytes,
      ...counts,
      missing_count: missing.length,
    };
  });
}
