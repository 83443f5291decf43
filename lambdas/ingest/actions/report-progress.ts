/**
 * What callers see of an ingest while it works: stage, progress, and when it is expected to be ready. A step tells as
 * often as it likes; it is written often enough to be seen moving. Without S3, whose client is half a bundle.
 */
import type { Piece } from '../../../engines/transcription/port.ts';
import type { Counted, Part, PartKind } from '../../../platform/jobs/part-progress.ts';
import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import type { Reached, StoredAsset } from '../../../shared/assets.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import {
  type Branch,
  type BranchesReached,
  type BranchStage,
  isAlone,
  latestOf,
  placeAt,
  progressAt,
  reachedTogether,
  type Stage,
} from '../../../shared/ingest-stages.ts';
import type { Forecast } from '../../../shared/jobs.ts';
import { paced, remainingAt } from '../../../shared/pace.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { ingestRecords } from './ingest-records.ts';

export interface Progress {
  /** How much of a stage is done, 0 to 1. Returns at once; it is written within a few seconds. */
  stage(stage: Stage, fraction: number): void;
  /** How much of one of the pieces that are transcribed side by side is done, 0 to 1. Returns at once. */
  piece(piece: Piece, fraction: number): void;
  /** Counts a piece as done, once however often it is said. Throws Canceled where the asset is no longer this job's. */
  pieceDone(piece: Piece): Promise<void>;
  /** The same of the spans of time whose pictures are looked at side by side. */
  span(span: Piece, fraction: number): void;
  spanDone(span: Piece): Promise<void>;
}

interface Ids {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
}

/** How long nothing is written after a write, ms: what is seen is then never five seconds old. */
const REST_MS = 2500;
/** What comes after the transcription takes a moment, however long the media are, ms. */
const AFTERWARDS_MS = 2000;

/** What is worked on side by side: which stage it is, and where the parts of the job and their pace are kept. */
const sides = {
  part: { stage: 'transcription', pace: 'pace' },
  picture: { stage: 'pictures', pace: 'picture_pace' },
} as const satisfies Record<PartKind, { stage: BranchStage; pace: string }>;

/** The progress of one step; whoever makes it closes it. */
export function progressOf(
  ids: Ids,
  tenant: TenantId,
  now: () => Date,
  restMs = REST_MS,
): Progress & { close(): Promise<void> } {
  const { jobs } = ingestRecords(tenant);
  const telling = throttled((write: () => Promise<void>) => write(), restMs);
  const { asset_id, job_id } = ids;
  const advance = (kind: PartKind) => (piece: Piece, fraction: number) =>
    telling.tell(async () =>
      counted(
        ids,
        tenant,
        now(),
        kind,
        await jobs.advancePart(asset_id, job_id, partOf(piece), fraction, kind),
      ),
    );
  const complete = (kind: PartKind) => async (piece: Piece) =>
    counted(ids, tenant, now(), kind, await jobs.completePart(asset_id, job_id, partOf(piece), kind));
  return {
    stage: (stage, fraction) => telling.tell(() => report(ids, tenant, now(), stage, fraction)),
    piece: advance('part'),
    pieceDone: complete('part'),
    span: advance('picture'),
    spanDone: complete('picture'),
    close: telling.close,
  };
}

/** What a piece weighs among the pieces of its audio, or of its pictures: `Jobs.planParts` is given the sizes of all. */
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
  const reached = isAlone(stage)
    ? { stage, progress: progressAt(stage, fraction) }
    : reachedTogether(stage, await branchesAt(ids, tenant, stage, fraction));
  await written(ids, tenant, now, reached, facts);
}

/** From now on these branches go on side by side, and the progress is that of all. */
export async function beginBranches(
  { asset_id, job_id }: Ids,
  tenant: TenantId,
  branches: readonly Branch[],
): Promise<void> {
  const { jobs } = ingestRecords(tenant);
  for (const branch of branches)
    await jobs.reachBranch(asset_id, job_id, branch, { reached: 0, ready_at: null });
}

async function branchesAt(
  { asset_id, job_id }: Ids,
  tenant: TenantId,
  stage: BranchStage,
  fraction: number,
  ready_at: string | null = null,
): Promise<BranchesReached> {
  const { branch, reached } = placeAt(stage, fraction);
  return ingestRecords(tenant).jobs.reachBranch(asset_id, job_id, branch, { reached, ready_at });
}

/** How long the whole takes can be told only by parts: no other stage grows with the length of the media. */
async function counted(
  ids: Ids,
  tenant: TenantId,
  now: Date,
  kind: PartKind,
  { share, pace: before }: Counted,
): Promise<void> {
  const { stage, pace: name } = sides[kind];
  const pace = paced(before, now.getTime(), share);
  const remaining = remainingAt(pace, now.getTime(), share);
  const ready_at =
    remaining === null ? null : new Date(now.getTime() + remaining + AFTERWARDS_MS).toISOString();
  const branches = await branchesAt(ids, tenant, stage, share, ready_at);
  const reached = { ...reachedTogether(stage, branches), estimated_ready_at: latestOf(branches) };
  await written(ids, tenant, now, reached, {}, { [name]: pace });
}

async function written(
  { asset_id, job_id }: Ids,
  tenant: TenantId,
  now: Date,
  reached: Reached,
  facts: Partial<StoredAsset>,
  pace: Pick<Forecast, 'pace' | 'picture_pace'> = {},
): Promise<void> {
  const { assets, jobs } = ingestRecords(tenant);
  const asset = await assets.advance(asset_id, job_id, now, reached, facts);
  if (asset === null) throw new Canceled();
  const { stage: _, progress, ...forecast } = reached;
  await jobs.advance(asset_id, job_id, progress, { ...forecast, ...pace });
}
