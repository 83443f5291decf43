/**
 * What callers see of an ingest while it works: stage, progress, and when it is expected to be ready. A step tells as
 * often as it likes; it is written often enough to be seen moving. Without S3, whose client is half a bundle.
 */
import type { Piece } from '../../../engines/transcription/port.ts';
import type { Part } from '../../../platform/jobs/parts.ts';
import { throttled } from '../../../platform/jobs/throttled.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import type { Reached, StoredAsset } from '../../../platform/shared/assets.ts';
import type { AssetId, JobId } from '../../../platform/shared/ids.ts';
import { progressAt, type Stage } from '../../../platform/shared/ingest-stages.ts';
import { type Pace, paced, remainingAt } from '../../../platform/shared/pace.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { ingestRecords } from './records.ts';

export interface Progress {
  /** How much of a stage is done, 0 to 1. Returns at once; it is written within a few seconds. */
  stage(stage: Stage, fraction: number): void;
  /** How much of one of the pieces that are transcribed side by side is done, 0 to 1. Returns at once. */
  piece(piece: Piece, fraction: number): void;
  /** Counts a piece as done, once however often it is said. Throws Canceled where the asset is no longer this job's. */
  pieceDone(piece: Piece): Promise<void>;
}

interface Ids {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
}

/** How long nothing is written after a write, ms: what is seen is then never five seconds old. */
const REST_MS = 2500;
/** What comes after the transcription takes a moment, however long the media are, ms. */
const AFTERWARDS_MS = 2000;

/** The progress of one step; whoever makes it closes it. */
export function progressOf(
  ids: Ids,
  tenant: TenantId,
  now: () => Date,
  restMs = REST_MS,
): Progress & { close(): Promise<void> } {
  const { jobs } = ingestRecords(tenant);
  const telling = throttled((write: () => Promise<void>) => write(), restMs);
  return {
    stage: (stage, fraction) => telling.tell(() => report(ids, tenant, now(), stage, fraction)),
    piece: (piece, fraction) =>
      telling.tell(async () => {
        const { share, pace } = await jobs.advancePart(ids.asset_id, ids.job_id, partOf(piece), fraction);
        await transcribed(ids, tenant, now(), share, pace);
      }),
    async pieceDone(piece) {
      const { share, pace } = await jobs.completePart(ids.asset_id, ids.job_id, partOf(piece));
      await transcribed(ids, tenant, now(), share, pace);
    },
    close: telling.close,
  };
}

/** What a piece weighs among the pieces of its audio: `Jobs.planParts` is given the sizes of all. */
export const sizeOf = ({ start_ms, end_ms }: Piece): number => end_ms - start_ms;

const partOf = (piece: Piece): Part => ({ index: piece.index, size: sizeOf(piece) });

/**
 * Writes stage and progress where callers see them; throws Canceled where the asset is no longer this job's.
 * @param fraction how much of the stage is done, 0 to 1
 */
export async function report(
  ids: Ids,
  tenant: TenantId,
  now: Date,
  stage: Stage,
  fraction = 0,
  facts: Partial<StoredAsset> = {},
): Promise<void> {
  await written(ids, tenant, now, { stage, progress: progressAt(stage, fraction) }, facts);
}

/** How long the whole takes can be told only here: no other stage grows with the length of what is said. */
async function transcribed(
  ids: Ids,
  tenant: TenantId,
  now: Date,
  share: number,
  before: Pace | undefined,
): Promise<void> {
  const pace = paced(before, now.getTime(), share);
  const remaining = remainingAt(pace, now.getTime(), share);
  const estimated_ready_at =
    remaining === null ? null : new Date(now.getTime() + remaining + AFTERWARDS_MS).toISOString();
  const reached = { stage: 'transcription', progress: progressAt('transcription', share) } as const;
  await written(ids, tenant, now, { ...reached, estimated_ready_at }, {}, { pace });
}

async function written(
  { asset_id, job_id }: Ids,
  tenant: TenantId,
  now: Date,
  reached: Reached,
  facts: Partial<StoredAsset>,
  pace: { readonly pace?: Pace } = {},
): Promise<void> {
  const { assets, jobs } = ingestRecords(tenant);
  const asset = await assets.advance(asset_id, job_id, now, reached, facts);
  if (asset === null) throw new Canceled();
  const { stage, progress, ...forecast } = reached;
  await jobs.advance(asset_id, job_id, progress, { ...forecast, ...pace });
}
