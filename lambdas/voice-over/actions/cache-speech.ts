/** Speaks a piece, unless its speech is stored already. */

import type { SpeechEngine } from '../../../engines/speech/port.ts';
import type { MediaTools } from '../../../media/ffmpeg/media-tools.ts';
import type { DubFiles, KeptPiece } from '../records/dub-files.ts';
import type { DubIds } from '../records/dub-keys.ts';
import type { DubPlan, PlannedPiece } from '../rules/dub-plan.ts';
import { fittedSpeech } from './fit-speech.ts';

export interface Speaking {
  readonly ids: DubIds;
  readonly plan: Pick<DubPlan, 'language'>;
  readonly files: DubFiles;
  readonly engine: SpeechEngine;
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
  /** Counts the spoken characters, once for each piece. */
  readonly meter: (piece: Pick<PlannedPiece, 'name'>, characters: number) => Promise<void>;
}

/** Speaks and stores the piece, unless its speech exists. */
export async function ensureSpoken(piece: PlannedPiece, speaking: Speaking): Promise<void> {
  const { files, ids } = speaking;
  if (!(await files.hasPiece(ids, piece.name))) await spoken(piece, speaking);
}

/** The speech of a piece. Speaks it again if another job has removed it in the meantime. */
export async function keptSpeech(piece: PlannedPiece, speaking: Speaking): Promise<KeptPiece> {
  const { files, ids } = speaking;
  return (await files.piece(ids, piece.name)) ?? spoken(piece, speaking);
}

async function spoken(
  piece: PlannedPiece,
  { ids, plan, files, meter, ...using }: Speaking,
): Promise<KeptPiece> {
  const voice = { language: plan.language, voice: piece.voice };
  const { samples, report } = await fittedSpeech(piece, voice, using);
  // Metered before it is stored: the provider charges for it, and stored speech is never spoken again.
  await meter(piece, report.characters);
  const made = { job_id: ids.job_id, fit: report, samples };
  await files.writePiece(ids, piece.name, made);
  return made;
}
