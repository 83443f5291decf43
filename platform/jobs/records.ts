/**
 * Jobs of an asset, or of something else that has its own partition. Progress never falls, and a terminal state
 * never changes: conditions see to both.
 */

import { type JobSnapshot, jobEvent } from '../outbox/event-types.ts';
import { published } from '../outbox/events.ts';
import type { JobFailure } from '../shared/assets.ts';
import { isTerminal, type Job, type JobType, jobView, terminalStates } from '../shared/jobs.ts';
import { NotFound } from '../shared/problems.ts';
import type { TenantId } from '../shared/tenant.ts';
import { assetPartition } from '../store/keys.ts';
import { ConditionFailed, type Key, type TenantTable, TransactionRefused } from '../store/table.ts';

/** The job of an upload: which parts it joins, and the transcription that it makes. */
export interface IngestJob extends Job {
  readonly upload_id: string;
  readonly etags: readonly string[];
  readonly transcription_id: string;
}

const open = terminalStates.map((_, at) => `#status <> :t${at}`).join(' AND ');
const terminalValues = Object.fromEntries(terminalStates.map((state, at) => [`t${at}`, state]));

type JobEnd =
  | { readonly status: 'succeeded'; readonly progress: 1; readonly result: Record<string, unknown> }
  | { readonly status: 'failed'; readonly error: JobFailure };

/** What every job has, whatever it works on. */
export type AnyJob = Omit<Job, 'type' | 'asset_id'>;

/** What tells jobs of other things than assets apart. */
export interface JobPlace<Stored> {
  readonly partitionOf: (tenant: TenantId, owner: string) => string;
  /** The job as callers see it. */
  readonly view: (stored: Stored) => JobSnapshot;
}

export class Jobs<Stored extends AnyJob = Job> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #type: JobType | 'branding_upload';
  readonly #place: JobPlace<Stored>;

  /** @param place where the jobs of an owner are: those of an asset when absent */
  constructor(
    table: TenantTable,
    tenant: TenantId,
    type: JobType | 'branding_upload',
    place: JobPlace<Stored> = {
      partitionOf: assetPartition,
      view: (job) => jobView(job as unknown as Job),
    },
  ) {
    this.#table = table;
    this.#tenant = tenant;
    this.#type = type;
    this.#place = place;
  }

  #key(owner: string, job: string): Key {
    return { pk: this.#place.partitionOf(this.#tenant, owner), sk: `JOB#${this.#type}#${job}` };
  }

  find(asset: string, job: string): Promise<Stored | null> {
    return this.#table.get<Stored>(this.#key(asset, job));
  }

  async get(asset: string, job: string): Promise<Stored> {
    const found = await this.find(asset, job);
    if (found === null) throw new NotFound('job', job);
    return found;
  }

  /** All jobs of this type, newest first. */
  list(asset: string): Promise<Stored[]> {
    return this.#table.queryAll<Stored>({
      pk: this.#place.partitionOf(this.#tenant, asset),
      beginsWith: `JOB#${this.#type}#`,
      newestFirst: true,
    });
  }

  /** Marks the job as running. A job that already runs or ended stays as it is. */
  async begin(asset: string, job: string, now: Date): Promise<void> {
    await this.#update(asset, job, {
      expression: 'SET #status = :running, started_at = :now',
      values: { running: 'running', now: now.toISOString(), queued: 'queued' },
      condition: '#status = :queued',
    });
  }

  /** Raises the progress to `fraction` (0 to 1); a lower one is ignored. */
  async advance(asset: string, job: string, fraction: number): Promise<void> {
    await this.#update(asset, job, {
      expression: 'SET progress = :fraction',
      values: { fraction, ...terminalValues },
      condition: `progress < :fraction AND ${open}`,
    });
  }

  /** Notes one of several equal parts as done, once however often it is said. Returns how many are. */
  async completePart(asset: string, job: string, part: number): Promise<number> {
    const { parts_done } = await this.#table.update<{ parts_done: Set<number> }>({
      key: this.#key(asset, job),
      expression: 'ADD parts_done :part',
      values: { part: new Set([part]) },
      condition: 'attribute_exists(pk)',
    });
    return parts_done.size;
  }

  async succeed(asset: string, job: string, now: Date, result: Record<string, unknown>): Promise<void> {
    await this.#end(asset, job, now, { status: 'succeeded', progress: 1, result });
  }

  async fail(asset: string, job: string, now: Date, error: JobFailure): Promise<void> {
    await this.#end(asset, job, now, { status: 'failed', error });
  }

  /** Ends the job and publishes so, in one transaction. A job that has ended stays as it is. */
  async #end(asset: string, job: string, now: Date, set: JobEnd): Promise<void> {
    const key = this.#key(asset, job);
    const current = await this.#table.get<Stored>(key);
    if (current === null || isTerminal(current.status)) return;
    const fields = { ...set, finished_at: now.toISOString() };
    const names = Object.keys(fields);
    const update = {
      key,
      expression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      values: { ...fields, ...terminalValues },
      condition: open,
    };
    const event = jobEvent(`job.${set.status}`, now, this.#place.view({ ...current, ...fields }));
    try {
      await this.#table.transact([{ update }, ...published(this.#tenant, event)]);
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
    }
  }

  /** A change that its condition refuses has happened already, or must not happen any more. */
  async #update(
    asset: string,
    job: string,
    change: { expression: string; values: object; condition: string },
  ): Promise<void> {
    const usesStatus = `${change.expression} ${change.condition}`.includes('#status');
    try {
      await this.#table.update({
        key: this.#key(asset, job),
        expression: change.expression,
        values: change.values as Record<string, unknown>,
        condition: change.condition,
        ...(usesStatus && { names: { '#status': 'status' } }),
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
