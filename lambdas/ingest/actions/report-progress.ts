/** Progress of an ingest as callers see it: stage, fraction and estimated end. Writes are throttled. */
import type { Piece } from '../../../engines/transcription/port.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import type { Counted, Part, PartKind } from '../../../platform/jobs/part-progress.ts';
import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { Reached, StoredAsset } from '../../../shared/assets.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import type { IngestOwn } from '../../../shared/ingest-jobs.ts';
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
import { paced, remainingAt, steadied } from '../../../shared/pace.ts';
import { Assets } from '../../assets/records/assets.ts';

export interface Progress {
  /** Reports the fraction of a stage that is done, 0 to 1. Returns at once; the write follows within seconds. */
  stage(stage: Stage, fraction: number): void;
  /** Reports the fraction of a piece that is transcribed, 0 to 1. Pieces run in parallel. Returns at once. */
  piece(piece: Piece, fraction: number): void;
  /** Counts a piece as done; a repeat changes nothing. Throws Canceled if another job processes the asset. */
  pieceDone(piece: Piece): Promise<void>;
  span(span: Piece, fraction: number): void;
  spanDone(span: Piece): Promise<void>;
  /** Writes stage and progress to the asset and the job. Throws Canceled if this job no longer processes the asset. */
  report(reached: StageReached): Promise<void>;
  /** Records that parallel branches start. From then on, the progress is a weighted mean of all branches. */
  beginBranches(branches: readonly Branch[]): Promise<void>;
}

interface Ids {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
}

/** Time for the steps after the transcription, ms. It does not depend on the duration of the media. */
const AFTERWARDS_MS = 2000;

/** For each kind of part: the stage that processes the parts, and the job's field with the pace. */
const sides = {
  part: { stage: 'transcription', pace: 'pace' },
  picture: { stage: 'pictures', pace: 'picture_pace' },
} as const satisfies Record<PartKind, { stage: BranchStage; pace: string }>;

/** The progress of one step. The caller must close it. */
export function progressOf(
  ids: Ids,
  tenant: TenantId,
  now: () => Date,
  restMs?: number,
): Progress & { close(): Promise<void> } {
  const records = recordsOf(tenant);
  const { jobs } = records;
  const telling = throttled((write: () => Promise<void>) => write(), restMs);
  const { asset_id, job_id } = ids;
  const moment = () => ({ ...records, now: now() });
  const advance = (kind: PartKind) => (piece: Piece, fraction: number) =>
    telling.tell(async () =>
      counted(
        ids,
        moment(),
        kind,
        await jobs.advancePart(asset_id, job_id, { part: partOf(piece), fraction, kind }),
      ),
    );
  const complete = (kind: PartKind) => async (piece: Piece) =>
    counted(ids, moment(), kind, await jobs.completePart(asset_id, job_id, partOf(piece), kind));
  return {
    stage: (stage, fraction) => telling.tell(() => report(ids, moment(), { stage, fraction })),
    report: (reached) => report(ids, moment(), reached),
    async beginBranches(branches) {
      const before = { reached: 0, ready_at: null };
      for (const branch of branches) await jobs.reachBranch(asset_id, job_id, branch, before);
    },
    piece: advance('part'),
    pieceDone: complete('part'),
    span: advance('picture'),
    spanDone: complete('picture'),
    close: telling.close,
  };
}

/** The size of a piece for `Jobs.planParts`: its duration, ms. */
export const sizeOf = ({ start_ms, end_ms }: Piece): number => end_ms - start_ms;

const partOf = (piece: Piece): Part => ({ index: piece.index, size: sizeOf(piece) });

function recordsOf(tenant: TenantId) {
  const table = coreTable(tenant);
  return { assets: new Assets(table, tenant), jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest') };
}

interface Moment extends ReturnType<typeof recordsOf> {
  readonly now: Date;
}

interface StageReached {
  readonly stage: Stage;
  /** Fraction of the stage that is done, 0 to 1. */
  readonly fraction?: number;
  readonly facts?: Partial<StoredAsset>;
}

async function report(
  ids: Ids,
  moment: Moment,
  { stage, fraction = 0, facts = {} }: StageReached,
): Promise<void> {
  const reached = isAlone(stage)
    ? { stage, progress: progressAt(stage, fraction) }
    : reachedTogether(stage, await branchesAt(ids, moment, { stage, fraction, ready_at: null }));
  await writeProgress(ids, moment, reached, { facts });
}

interface BranchReached {
  readonly stage: BranchStage;
  readonly fraction: number;
  readonly ready_at: string | null;
}

async function branchesAt(
  { asset_id, job_id }: Ids,
  { jobs }: Moment,
  { stage, fraction, ready_at }: BranchReached,
): Promise<BranchesReached> {
  const { branch, reached } = placeAt(stage, fraction);
  return jobs.reachBranch(asset_id, job_id, branch, { reached, ready_at });
}

/** Reports finished parts, and estimates the end from them. The time of other stages does not depend on the media. */
async function counted(
  ids: Ids,
  moment: Moment,
  kind: PartKind,
  { share, pace: before, estimate }: Counted,
): Promise<void> {
  const now_ms = moment.now.getTime();
  const { stage, pace: name } = sides[kind];
  const pace = paced(before, now_ms, share);
  const remaining = remainingAt(pace, now_ms, share);
  const ready_at = remaining === null ? null : new Date(now_ms + remaining + AFTERWARDS_MS).toISOString();
  const branches = await branchesAt(ids, moment, { stage, fraction: share, ready_at });
  const latest = latestOf(branches);
  const end = steadied(estimate, latest === null ? null : Date.parse(latest), now_ms);
  const estimated_ready_at = end === null ? null : new Date(end).toISOString();
  const reached = { ...reachedTogether(stage, branches), estimated_ready_at };
  await writeProgress(ids, moment, reached, { pace: { [name]: pace, estimated_at: now_ms } });
}

interface AlsoWritten {
  readonly facts?: Partial<StoredAsset>;
  readonly pace?: Pick<Forecast, 'pace' | 'picture_pace' | 'estimated_at'>;
}

async function writeProgress(
  ids: Ids,
  { assets, jobs, now }: Moment,
  reached: Reached,
  { facts, pace }: AlsoWritten,
): Promise<void> {
  const asset = await assets.advance(ids, reached, now, facts);
  if (asset === null) throw new Canceled();
  const { stage: _, progress, ...forecast } = reached;
  await jobs.advance(ids.asset_id, ids.job_id, progress, { ...forecast, ...pace });
}
