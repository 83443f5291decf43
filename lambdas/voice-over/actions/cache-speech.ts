/** Speaks a piece and stores its speech, unless the speech is stored already. */
import type { SpeechEngine } from '../../../engines/speech/port.ts';
import type { MediaTools } from '../../../media/ffmpeg/serve-ranges.ts';
import type { JobContext } from '../../../platform/kernel/job-step.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { DubFiles, DubIds, KeptPiece } from '../records/dub-files.ts';
import type { DubPlan, PlannedPiece } from '../rules/dub-plan.ts';
import type { VoiceOverJob } from '../rules/voice-over-job.ts';
import { speakerFor } from './clone-voices.ts';
import { fittedSpeech } from './fit-speech.ts';
import type { DubServices } from './voice-over-step.ts';

export interface Speaking {
  readonly ids: DubIds;
  readonly plan: DubPlan;
  readonly files: DubFiles;
  readonly engine: SpeechEngine;
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
  /** Counts the spoken characters, once for each piece. */
  readonly meter: (piece: Pick<PlannedPiece, 'name'>, characters: number) => Promise<void>;
}

export async function speakingFor(
  ids: DubIds,
  { files, job, signal, table, tenant }: DubServices & JobContext<VoiceOverJob>,
): Promise<Speaking> {
  const plan = await files.plan(ids);
  const { job_id, language_id } = ids;
  const usage = usageOf(table, tenant);
  const by = doneBy(plan.config.clone_voice ? 'voice_cloning' : 'speech');
  const used = { meter: 'spoken_characters', at: job.created_at, job_id, by } as const;
  const meter: Speaking['meter'] = ({ name }, quantity) =>
    usage.record({ ...used, use_id: `${job_id}#${language_id}#${name}`, quantity });
  return { ids, plan, files, engine: await speakerFor(plan), tools: mediaTools, signal, meter };
}

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
  // Meter before storing, because the provider charges for the speech even if the job fails. Stored speech is never
  // spoken again, so it is metered once.
  await meter(piece, report.characters);
  const made = { job_id: ids.job_id, fit: report, samples };
  await files.writePiece(ids, piece.name, made);
  return made;
}
