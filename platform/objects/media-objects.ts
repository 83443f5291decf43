/** Objects of one tenant in the media bucket. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  type _Error as S3Error,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { defined } from '../../shared/checked-access.ts';
import type { AssetId, JobId, TenantId } from '../../shared/ids.ts';
import type { RangeSource } from '../../shared/media.ts';

export interface Part {
  readonly part_number: number;
  /** The entity tag without its quotes. */
  readonly etag: string;
  readonly size: number;
}

export const assetPrefix = (tenant: TenantId, assetId: AssetId) => `t/${tenant}/assets/${assetId}/`;
export const sourceKey = (tenant: TenantId, assetId: AssetId) =>
  `${assetPrefix(tenant, assetId)}source/media`;

/** The key of an object that a step makes. A retried step has the same key, and overwrites its earlier object. */
export const derivedKey = (
  tenant: TenantId,
  assetId: AssetId,
  { step, version, name }: { readonly step: string; readonly version: string; readonly name: string },
) => `${assetPrefix(tenant, assetId)}derived/${step}/${version}/${name}`;

/** The speech of an asset that this ingest extracted: 16 kHz, mono. */
export const speechKey = (tenant: TenantId, assetId: AssetId, jobId: JobId) =>
  derivedKey(tenant, assetId, { step: 'audio', version: jobId, name: 'speech.wav' });

export const brandingPrefix = (tenant: TenantId, type: string, id: string) =>
  `t/${tenant}/branding/${type}/${id}/`;
export const brandingKey = (tenant: TenantId, type: string, id: string) =>
  `${brandingPrefix(tenant, type, id)}media`;

/** The keys of uploaded objects end with this text. Keys of objects that Kinora makes never do. */
const SENT = '/media';
/** The maximum number of unfinished uploads that are read when a tenant with a byte quota starts another upload. */
export const MOST_UNFINISHED = 1000;
/** The number of unfinished uploads that are read at once. */
const LOOKS_AT_ONCE = 32;

/** The maximum number of keys in one delete request. */
const MOST_DELETED = 1000;
/** Bytes of one part. S3 accepts 10,000 parts, so an object can have 160 GB. */
const WRITTEN_PART_BYTES = 16 << 20;
/** The maximum number of attempts to read a range whose bytes did not arrive. */
const RANGE_ATTEMPTS = 4;
/** Wait before the second attempt. */
const RANGE_WAIT_MS = 200;

/** S3 sends nothing while it joins parts or copies an object, which may take long. */
const joining = { requestTimeout: 60_000 };

const bare = (etag: string | undefined) => (etag ?? '').replaceAll('"', '');

/** Thrown if S3 deleted only some of the objects, or none. Its name is the code of the first error. */
class Kept extends Error {
  constructor([first, ...others]: readonly S3Error[]) {
    super(`S3 kept ${others.length + 1} objects: ${first?.Code}`);
    this.name = first?.Code ?? 'InternalError';
  }
}

/** The result, or `otherwise` if S3 answers with this error. */
async function unless<Result, Other>(
  name: 'NoSuchKey' | 'NoSuchUpload' | 'NotFound',
  otherwise: Other,
  work: () => Promise<Result>,
): Promise<Result | Other> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === name) return otherwise;
    throw error;
  }
}

export class MediaObjects {
  readonly #client: S3Client;
  readonly bucket: string;
  readonly #prefix: string;

  constructor(client: S3Client, bucket: string, tenant: TenantId) {
    this.#client = client;
    this.bucket = bucket;
    this.#prefix = `t/${tenant}/`;
  }

  #own(key: string): { Bucket: string; Key: string } {
    if (!key.startsWith(this.#prefix)) throw new TypeError('An object outside of the tenant');
    return { Bucket: this.bucket, Key: key };
  }

  async createUpload(key: string, ContentType?: string): Promise<string> {
    const { UploadId } = await this.#client.send(
      new CreateMultipartUploadCommand({ ...this.#own(key), ContentType }),
    );
    return defined(UploadId);
  }

  /** The parts that have arrived; null if the upload does not exist any more. */
  listParts(key: string, uploadId: string): Promise<Part[] | null> {
    return unless('NoSuchUpload', null, async () => {
      const parts: Part[] = [];
      let marker: string | undefined;
      do {
        const page = await this.#client.send(
          new ListPartsCommand({ ...this.#own(key), UploadId: uploadId, PartNumberMarker: marker }),
        );
        for (const part of page.Parts ?? []) {
          parts.push({ part_number: defined(part.PartNumber), etag: bare(part.ETag), size: part.Size ?? 0 });
        }
        marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
      } while (marker !== undefined);
      return parts;
    });
  }

  /** Joins the parts. False if the upload does not exist any more, because another request completed or aborted it. */
  completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<boolean> {
    const Parts = etags.map((etag, at) => ({ ETag: `"${etag}"`, PartNumber: at + 1 }));
    const upload = { ...this.#own(key), UploadId: uploadId, MultipartUpload: { Parts } };
    const completed = () => this.#client.send(new CompleteMultipartUploadCommand(upload), joining);
    return unless('NoSuchUpload', false, () => completed().then(() => true));
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    const upload = { ...this.#own(key), UploadId: uploadId };
    await unless('NoSuchUpload', null, () => this.#client.send(new AbortMultipartUploadCommand(upload)));
  }

  async size(key: string): Promise<number | null> {
    const head = await this.#head(key);
    return head && (head.ContentLength ?? 0);
  }

  /**
   * The current object, to be read in ranges; null if it does not exist. Throws if another object has replaced it
   * before a range is read.
   */
  async source(key: string): Promise<RangeSource | null> {
    const head = await this.#head(key);
    if (head === null) return null;
    const { ContentLength: size = 0, ETag } = head;
    return { size, read: (first, last, signal) => this.#range(key, { first, last, IfMatch: ETag, signal }) };
  }

  #head(key: string) {
    return unless('NotFound', null, () => this.#client.send(new HeadObjectCommand(this.#own(key))));
  }

  /** Writes or replaces one part of an upload that Kinora makes. Returns the entity tag. */
  async uploadPart(
    key: string,
    uploadId: string,
    {
      part,
      body,
      signal,
    }: { readonly part: number; readonly body: Uint8Array; readonly signal?: AbortSignal | undefined },
  ): Promise<string> {
    const { ETag } = await this.#client.send(
      new UploadPartCommand({ ...this.#own(key), UploadId: uploadId, PartNumber: part, Body: body }),
      signal === undefined ? {} : { abortSignal: signal },
    );
    return bare(ETag);
  }

  async abortUploads(prefix: string): Promise<void> {
    for (const { key, upload_id } of await this.#openUploads(prefix)) await this.abortUpload(key, upload_id);
  }

  /**
   * The unfinished uploads of all callers of the tenant. If there are more than MOST_UNFINISHED, only their number is
   * returned, and 0 bytes.
   */
  async unfinished(): Promise<{ readonly uploads: number; readonly bytes: number }> {
    const open = (await this.#openUploads(this.#prefix)).filter(({ key }) => key.endsWith(SENT));
    if (open.length > MOST_UNFINISHED) return { uploads: open.length, bytes: 0 };
    let bytes = 0;
    for (let at = 0; at < open.length; at += LOOKS_AT_ONCE) {
      const some = open.slice(at, at + LOOKS_AT_ONCE);
      const parts = await Promise.all(some.map(({ key, upload_id }) => this.listParts(key, upload_id)));
      for (const { size } of parts.flatMap((arrived) => arrived ?? [])) bytes += size;
    }
    return { uploads: open.length, bytes };
  }

  async #openUploads(prefix: string): Promise<{ key: string; upload_id: string }[]> {
    const { Bucket, Key: Prefix } = this.#own(prefix);
    const open: { key: string; upload_id: string }[] = [];
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (next !== undefined) {
      const page: ListMultipartUploadsCommandOutput = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix, ...next }),
      );
      for (const { Key, UploadId } of page.Uploads ?? [])
        open.push({ key: defined(Key), upload_id: defined(UploadId) });
      next = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    return open;
  }

  async write(key: string, body: Uint8Array | string, contentType: string, encoding?: string): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        ...this.#own(key),
        Body: body,
        ContentType: contentType,
        ContentEncoding: encoding,
      }),
    );
  }

  /**
   * Writes an object from a stream of any length, in parts, with one part in memory at a time. If all bytes fit into
   * one part, it writes a single object. Returns the number of bytes. It aborts its upload if it fails or is aborted.
   * After a crash, the next write of the object aborts the upload.
   */
  async writeParts(
    key: string,
    bytes: AsyncIterable<Buffer>,
    contentType: string,
    signal?: AbortSignal,
  ): Promise<number> {
    let upload: string | null = null;
    const etags: string[] = [];
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let size = 0;
    const send = async () => {
      const part = Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      upload ??= await this.#onlyUpload(key, contentType);
      etags.push(await this.uploadPart(key, upload, { part: etags.length + 1, body: part, signal }));
    };
    try {
      for await (const piece of bytes) {
        signal?.throwIfAborted();
        pending.push(piece);
        pendingBytes += piece.length;
        size += piece.length;
        if (pendingBytes >= WRITTEN_PART_BYTES) await send();
      }
      if (upload === null) {
        await this.abortUploads(key);
        signal?.throwIfAborted();
        await this.write(key, Buffer.concat(pending), contentType);
        return size;
      }
      if (pendingBytes > 0) await send();
      // Another attempt may have aborted this upload and written the object itself.
      const isThere = (await this.completeUpload(key, upload, etags)) || (await this.size(key)) !== null;
      if (!isThere) throw new Error('The upload of an object was aborted while it was written');
      return size;
    } catch (error) {
      if (upload !== null) await this.abortUpload(key, upload);
      throw error;
    }
  }

  async #onlyUpload(key: string, contentType: string): Promise<string> {
    await this.abortUploads(key);
    return this.createUpload(key, contentType);
  }

  /** Copies an object of at most 5 GB, the limit of CopyObject. False if it does not exist. */
  async copy(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.#own(from);
    const CopySource = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`;
    const copied = () => this.#client.send(new CopyObjectCommand({ ...this.#own(to), CopySource }), joining);
    return unless('NoSuchKey', false, () => copied().then(() => true));
  }

  read(key: string): Promise<Uint8Array | null> {
    return unless('NoSuchKey', null, async () => {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#own(key)));
      return await defined(Body).transformToByteArray();
    });
  }

  /** The bytes from `first` to `last`, both included. Fewer if the object is shorter. */
  readRange(key: string, first: number, last: number): Promise<Uint8Array> {
    return this.#range(key, { first, last });
  }

  /** Reads a range, and retries if the response breaks off. The client retries only failed requests. */
  async #range(
    key: string,
    {
      first,
      last,
      IfMatch,
      signal,
    }: {
      readonly first: number;
      readonly last: number;
      readonly IfMatch?: string | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Uint8Array> {
    const command = { ...this.#own(key), Range: `bytes=${first}-${last}`, IfMatch };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const options = signal === undefined ? {} : { abortSignal: signal };
        const { Body } = await this.#client.send(new GetObjectCommand(command), options);
        return await defined(Body).transformToByteArray();
      } catch (error) {
        const isFinal = error instanceof S3ServiceException || signal?.aborted || attempt >= RANGE_ATTEMPTS;
        if (isFinal) throw error;
        await delay(RANGE_WAIT_MS * 2 ** attempt, undefined, signal === undefined ? {} : { signal });
      }
    }
  }

  async deleteAll(prefix: string): Promise<void> {
    const { Bucket, Key } = this.#own(prefix);
    for (;;) {
      const { Contents = [] } = await this.#client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
      if (Contents.length === 0) return;
      await this.#deleteAt(Contents.map((object) => defined(object.Key)));
    }
  }

  async keys(prefix: string): Promise<string[]> {
    const { Bucket, Key: Prefix } = this.#own(prefix);
    const keys: string[] = [];
    for (;;) {
      const page = { Bucket, Prefix, StartAfter: keys.at(-1) };
      const { Contents = [] } = await this.#client.send(new ListObjectsV2Command(page));
      if (Contents.length === 0) return keys;
      keys.push(...Contents.map(({ Key }) => defined(Key)));
    }
  }

  async deleteOthers(prefix: string, kept: ReadonlySet<string>): Promise<void> {
    const others = (await this.keys(prefix)).filter((key) => !kept.has(key));
    for (let at = 0; at < others.length; at += MOST_DELETED) {
      await this.#deleteAt(others.slice(at, at + MOST_DELETED));
    }
  }

  /** Deletes the object. Succeeds if it does not exist. */
  async delete(key: string): Promise<void> {
    await this.#deleteAt([this.#own(key).Key]);
  }

  async #deleteAt(keys: readonly string[]): Promise<void> {
    const Objects = keys.map((Key) => ({ Key }));
    const { Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new Kept(Errors);
  }
}
