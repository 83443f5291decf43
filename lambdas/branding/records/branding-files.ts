/** Overlays and branding clips, the state of their uploads, and the jobs that check them. */
import { AllJobs, Jobs, writesOfDeletedJob } from '../../../platform/jobs/job-records.ts';
import { Configuration, type Place, type Stored } from '../../../platform/records/configuration.ts';
import { brandingFilePartition } from '../../../platform/table/keys.ts';
import type { Values } from '../../../platform/table/table.ts';
import type { TenantTable, Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure, OpenUpload } from '../../../shared/assets.ts';
import type { JobId, TenantId } from '../../../shared/ids.ts';
import { isTerminal, type StoredJob } from '../../../shared/jobs.ts';
import { InvalidState, NotFound } from '../../../shared/problems.ts';
import type {
  FileFacts,
  FileJob,
  FileOwn,
  FileState,
  FileType,
  UsableFile,
} from '../rules/branding-files.ts';

export type StoredFile = Stored & FileState;

const kinds: Readonly<Record<FileType, string>> = {
  branding_overlays: 'branding overlay',
  branding_clips: 'branding clip',
};

export const placeOfFiles = (type: FileType) => ({ type, kind: kinds[type] });

interface CheckedUpload {
  readonly file_id: string;
  readonly job_id: JobId;
}

export class BrandingFiles {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #configuration: Configuration;
  readonly #place: Place & { readonly type: FileType };
  readonly jobs: Jobs<'branding_upload', FileOwn, string>;

  constructor(table: TenantTable, tenant: TenantId, type: FileType) {
    this.#table = table;
    this.#tenant = tenant;
    this.#configuration = new Configuration(table, tenant);
    this.#place = placeOfFiles(type);
    this.jobs = new Jobs<'branding_upload', FileOwn, string>(
      table,
      tenant,
      'branding_upload',
      brandingFilePartition,
    );
  }

  async get(id: string): Promise<StoredFile> {
    return (await this.#configuration.get(this.#place, id)) as StoredFile;
  }

  /** The file that this job has stored, and its facts; null if the job has stored none. */
  async made(id: string, jobId: JobId): Promise<{ facts: FileFacts; file: UsableFile } | null> {
    const { file, upload_job_id, upload_id, media_type, size_bytes, width, height, duration_ms } =
      await this.get(id);
    const isMade = file && upload_job_id === jobId && !upload_id;
    if (!isMade) return null;
    return { facts: { media_type, size_bytes, width, height, duration_ms } as FileFacts, file };
  }

  /** Records the multipart upload. Returns the recorded upload id, which may be that of an earlier call. */
  async beginUpload(seen: StoredFile, upload: OpenUpload, now: Date): Promise<string> {
    const { upload_id } = await this.#change(seen.id, now, (current) => {
      const isAnothers = (current.upload_id ?? null) !== (seen.upload_id ?? null);
      if (isAnothers) return {};
      const status = current.file ? 'ready' : 'uploading';
      return { status, ...upload, upload_job_id: null, error: null };
    });
    if (!upload_id) throw new InvalidState('Another upload of the file ended just now.');
    return upload_id;
  }

  /** Raises the number of parts of the open upload. */
  promiseParts(seen: StoredFile, { upload_id, upload_parts }: OpenUpload, now: Date): Promise<unknown> {
    if (seen.upload_id === upload_id && (seen.upload_parts ?? 0) >= upload_parts) return Promise.resolve();
    return this.#change(seen.id, now, (current) => {
      const isMore = current.upload_id === upload_id && (current.upload_parts ?? 0) < upload_parts;
      return isMore ? { upload_parts } : {};
    });
  }

  /** Makes `job` the job that checks the upload. False if another job already checks it. */
  async beginCheck(seen: StoredFile, job: FileJob, now: Date): Promise<boolean> {
    const { upload_job_id } = await this.#change(
      seen.id,
      now,
      (current) => {
        const isOpen = current.upload_id === job.own.upload_id && !current.upload_job_id;
        return isOpen ? { upload_job_id: job.job_id } : {};
      },
      this.jobs.writesOfNew(seen.id, job, now),
    );
    return upload_job_id === job.job_id;
  }

  /** Marks the file as ready, together with the writes that end the job. False if the file was deleted. */
  finish(
    upload: CheckedUpload,
    facts: FileFacts & { readonly file: UsableFile },
    now: Date,
    alongside: readonly Write[],
  ): Promise<boolean> {
    const ready = { ...facts, status: 'ready', error: null, upload_id: null };
    return this.#settle(upload, now, () => ready, alongside);
  }

  /** Ends the upload with an error, so that the caller can upload another file. An earlier ready file stays. */
  fail(upload: CheckedUpload, error: JobFailure, now: Date): Promise<boolean> {
    const failed = ({ file }: StoredFile) => ({ status: file ? 'ready' : 'failed', error, upload_id: null });
    return this.#settle(upload, now, failed);
  }

  /** Cancels and removes the jobs of a deleted file. The cancellation notifies their callers. */
  async eraseJobs(id: string, now: Date): Promise<void> {
    const pk = brandingFilePartition(this.#tenant, id);
    const all = new AllJobs(this.#table, this.#tenant);
    for (const job of await this.#table.queryAll<StoredJob>({ pk })) {
      if (!isTerminal(job.status)) await all.cancel(job.job_id, now).catch(unlessEnded);
      await this.#table.transact(writesOfDeletedJob(this.#tenant, job));
    }
  }

  async #settle(
    { file_id, job_id }: CheckedUpload,
    now: Date,
    members: (current: StoredFile) => Values,
    alongside: readonly Write[] = [],
  ): Promise<boolean> {
    try {
      const change = (current: StoredFile) => (current.upload_job_id === job_id ? members(current) : {});
      const after = await this.#change(file_id, now, change, alongside);
      return after.upload_job_id === job_id;
    } catch (error) {
      if (error instanceof NotFound) return false;
      throw error;
    }
  }

  async #change(
    id: string,
    now: Date,
    change: (current: StoredFile) => Values,
    alongside: readonly Write[] = [],
  ): Promise<StoredFile> {
    const changed = await this.#configuration.update(this.#place, id, {
      now,
      change: (current) => change(current as StoredFile),
      alongside: () => alongside,
    });
    return changed as StoredFile;
  }
}

/** Ignores jobs that have just ended or were removed. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof InvalidState || error instanceof NotFound)) throw error;
}
