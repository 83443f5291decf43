/** Speaks a piece and stores its speech, unless the speech is stored already. */

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

/** Speaks the piece and stores its speech, unless the speech is stored already. */
export async function ensureSpoken(piece: PlannedPiece, speaking: Speaking): Promise<void> {
  const { files, ids } = speaking;
  if (!(await files.hasPiece(ids, piece.name))) await spoken(piece, speaking);
}

/** The speech of a piece. If another job removed it meanwhile, the piece is spoken again. */
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
  // Metered before the speech is stored, because the provider charges for it. Stored speech is never spoken again, so
  // it is metered once.
  await meter(piece, report.characters);
  const made = { job_id: ids.job_id, fit: report, samples };
  await files.writePiece(ids, piece.name, made);
  return made;
}
