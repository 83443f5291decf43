/**
 * Reports the progress of a language while it is spoken. A voice over job shows it in the item of the language, and an
 * ingest as a stage.
 */
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { placeAt, reachedTogether } from '../../../shared/ingest-stages.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { type Place, partAt, reachedAt, shareOf } from '../rules/progress-parts.ts';
import { type DubInput, voiceOverJobs } from './voice-over-step.ts';

export interface DubProgress {
  /** Reports the finished share of the part, 0 to 1. Returns at once and writes later. */
  tell(fraction: number): void;
  /** Counts the part as finished. A repeat does not count it again. */
  done(): Promise<void>;
  close(): Promise<void>;
}

/** The shortest time between two writes, ms. */
const REST_MS = 2500;
/** The share of the progress that the parts make. The end of the whole job makes the rest. */
const SHARE_OF_LANGUAGES = 0.98;

export interface PartInput extends DubInput {
  /** The number of groups of the language's segments. */
  readonly groups: number;
}

/** Reports the progress of one part. The caller must close it. */
export function dubProgress(input: PartInput, place: Place, tenant: TenantId, now: () => Date): DubProgress {
  const write = input.kind === 'ingest' ? ofIngest(input, place, tenant, now) : ofJob(input, place, tenant);
  const telling = throttled((fraction: number) => write(fraction, false), REST_MS);
  return { tell: telling.tell, done: () => write(1, true), close: telling.close };
}

type Tell = (fraction: number, isDone: boolean) => Promise<void>;

function ofJob(input: PartInput, place: Place, tenant: TenantId): Tell {
  const { asset_id, job_id, index } = input;
  const jobs = voiceOverJobs(tenant);
  const part = partAt(input, place);
  return async (fraction, isDone) => {
    const { share, doneOf } = isDone
      ? await jobs.completePart(asset_id, job_id, part)
      : await jobs.advancePart(asset_id, job_id, part, fraction);
    await jobs.advanceItem(asset_id, job_id, index, Math.min(1, shareOf(input, doneOf)));
    await jobs.advance(asset_id, job_id, share * SHARE_OF_LANGUAGES);
  };
}

/**
 * In an ingest, the parts belong to the transcription. If several languages are spoken at the same time, the one with
 * the most progress counts.
 */
function ofIngest(input: PartInput, place: Place, tenant: TenantId, now: () => Date): Tell {
  const { asset_id, job_id, index, languages } = input;
  const assets = new Assets(coreTable(tenant), tenant);
  const jobs = new Jobs(coreTable(tenant), tenant, 'ingest');
  return async (fraction) => {
    const { branch, reached } = placeAt(
      'voice_over',
      (index + reachedAt(input, place, fraction)) / languages,
    );
    const branches = await jobs.reachBranch(asset_id, job_id, branch, { reached, ready_at: null });
    const together = reachedTogether('voice_over', branches);
    await assets.advance({ asset_id, job_id }, together, now());
    await jobs.advance(asset_id, job_id, together.progress);
  };
}
