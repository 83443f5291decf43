/** The unfinished multipart uploads of a bucket. Each has a directory, with one document for each part. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, removeFile, syncDirectory, writeJson } from './durable.ts';
import type { BucketPlace } from './place.ts';
import { type PartRecord, type UploadRecord, withTags } from './records.ts';

export type Upload = UploadRecord & { parts: Map<number, PartRecord> };

const headFile = 'upload.json';

export class Uploads {
  readonly #place: BucketPlace;
  readonly #uploads = new Map<string, Upload>();

  constructor(place: BucketPlace) {
    this.#place = place;
  }

  /** Reads the uploads from the disk. Removes completed uploads that a crash left. */
  async load(isCompleted: (upload: UploadRecord) => boolean): Promise<void> {
    await mkdir(this.#root(), { recursive: true });
    for (const id of await readdir(this.#root())) {
      const files = await readdir(this.#directory(id));
      const head = files.includes(headFile)
        ? await readJson<UploadRecord>(join(this.#directory(id), headFile))
        : undefined;
      if (!head || isCompleted(head)) {
        await rm(this.#directory(id), { recursive: true });
        continue;
      }
      const upload: Upload = { ...withTags(head), parts: new Map() };
      for (const file of files.filter((each) => each !== headFile)) {
        const part = await readJson<PartRecord>(join(this.#directory(id), file));
        upload.parts.set(part.number, part);
        this.#place.data.retain(part.segments);
      }
      this.#uploads.set(id, upload);
    }
  }

  get(id: string): Upload | undefined {
    return this.#uploads.get(id);
  }

  all(): Upload[] {
    return [...this.#uploads.values()];
  }

  async create(description: Omit<UploadRecord, 'id'>): Promise<Upload> {
    const record: UploadRecord = { id: randomBytes(24).toString('base64url'), ...description };
    await mkdir(this.#directory(record.id));
    await writeJson(join(this.#directory(record.id), headFile), record, this.#place.scratch);
    await syncDirectory(this.#root());
    const upload: Upload = { ...record, parts: new Map() };
    this.#uploads.set(record.id, upload);
    return upload;
  }

  /** Adds or replaces a part. From then on, the upload owns the caller's references to the data. */
  async placePart(upload: Upload, part: PartRecord): Promise<void> {
    await writeJson(join(this.#directory(upload.id), `${part.number}.json`), part, this.#place.scratch);
    const former = upload.parts.get(part.number);
    upload.parts.set(part.number, part);
    if (former) await this.#place.data.release(former.segments);
  }

  /** Removes a completed or aborted upload. A crash may leave its other files, but without its head document it no longer exists. */
  async remove(upload: Upload): Promise<void> {
    await removeFile(join(this.#directory(upload.id), headFile));
    this.#uploads.delete(upload.id);
    await rm(this.#directory(upload.id), { recursive: true });
    for (const part of upload.parts.values()) await this.#place.data.release(part.segments);
  }

  #root(): string {
    return join(this.#place.directory, 'uploads');
  }

  #directory(id: string): string {
    return join(this.#root(), id);
  }
}
