/**
 * Writes a file to an opened storage, whichever kind it is: an earlier export of the same is replaced, a newer one and all
 * else is not, and what is there already is not written again. Large files go up in parts, which a later call goes on with.
 */
import { providerGivenUp, storageObjectExists } from '../../shared/job-errors.ts';
import { digestsOf, rangesOf } from './file-digests.ts';
import {
  type Condition,
  ConditionNotMet,
  type Found,
  type OpenedStorage,
  UploadGone,
  UploadSpent,
  UploadSpoilt,
  WriteConflict,
} from './opened-storage.ts';
import type { Confirmed, Digests, ExportedFile, Resume, Writing, Written } from './port.ts';

/** What goes up at once, bytes. */
const AT_ONCE_BYTES = 8 * 1024 * 1024;
/** How often it looks again where another was faster, or its upload is gone. */
const ATTEMPTS = 3;

/** Null where it ran out of time. Throws a JobError. */
export async function writtenTo(
  storage: OpenedStorage,
  file: ExportedFile,
  writing: Writing,
): Promise<Written | null> {
  const { source, path } = file;
  let { resume } = writing;
  let again = resume?.again;
  let digests = resume?.digests ?? (await digestsOf(source, writing.signal));
  const written = (confirmed: Confirmed | null): Written => ({
    location: storage.location,
    size_bytes: source.size,
    sha256: digests.sha256,
    confirmed,
  });
  const remember = (reached: Resume) => {
    resume = reached;
    return writing.remember(reached);
  };
  let found = await storage.look();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    writing.signal.throwIfAborted();
    if (isSame(found, file, digests)) {
      // Another job was faster with the same, or our own upload was made an object and its answer lost.
      if (resume !== null) await storage.abort(resume.upload).catch(() => {});
      return written(found.confirmed);
    }
    if (isNewer(found, file)) throw storageObjectExists(superseded(path));
    const condition = conditionFor(found, file, writing.overwrite);
    try {
      const isAtOnce = resume === null && source.size <= AT_ONCE_BYTES;
      if (isAtOnce) {
        const body =
          source.size === 0 ? new Uint8Array() : await source.read(0, source.size - 1, writing.signal);
        return written(await storage.put(body, digests, condition));
      }
      const fresh = { digests, ...(again && { again }) };
      const reached = await inParts(storage, file, { ...writing, resume, remember }, fresh, condition);
      return reached === null
        ? null
        : written(await storage.complete(reached.upload, wholeOf(reached, file), condition));
    } catch (error) {
      const isRefused = error instanceof ConditionNotMet;
      const isConflict = error instanceof WriteConflict;
      if (!isRefused && !isConflict && !(error instanceof UploadGone)) throw error;
      const isSpoilt = error instanceof UploadSpoilt;
      if (isSpoilt && again) throw refusedTwice(storage, error);
      if (isSpoilt) {
        again = true;
        // Either side may have been wrong about what the parts are to make.
        digests = await digestsOf(source, writing.signal);
      }
      const isSpent = isConflict || isSpoilt || error instanceof UploadSpent;
      if (isSpent && resume !== null) await storage.abort(resume.upload).catch(() => {});
      if (isSpent || !isRefused) resume = null;
      // What is not there can be unreadable, too; what is there may be ours, put there by a request whose answer was lost.
      const wasReadable = found !== 'unreadable';
      found = await storage.look();
      if (isRefused && !wasReadable && found === 'unreadable')
        throw storageObjectExists(`${taken(path)} ${unreadable}`);
    }
  }
  throw storageObjectExists(`Others write to ${path} at the same time.`);
}

/** Another attempt would send everything once more, and end as both did. */
const refusedTwice = ({ location }: OpenedStorage, { message }: UploadSpoilt) =>
  providerGivenUp(
    `The storage took all parts of ${location}, and did not make the file of them, nor when all were sent once more: ${message}.`,
  );

const isSame = (
  found: Awaited<ReturnType<OpenedStorage['look']>>,
  { made_of, edition, source }: ExportedFile,
  digests: Digests,
): found is Found =>
  found !== null &&
  found !== 'unreadable' &&
  found.made_of === made_of &&
  found.sha256 === digests.sha256 &&
  agrees(found.confirmed, digests) &&
  // The same bytes of a higher version are written again, so that none in between is taken for newer.
  (found.edition === null || found.edition.version >= edition.version) &&
  found.size === source.size;

/** What an object says of itself anybody may write who can write there; not what its storage has computed. */
function agrees(confirmed: Confirmed | null, { sha256, md5, crc32 }: Digests): boolean {
  if (confirmed === null || confirmed.of !== 'file') return true;
  const own = { SHA256: Buffer.from(sha256, 'hex').toString('base64'), CRC32: crc32, MD5: md5 };
  return confirmed.value === own[confirmed.algorithm];
}

/** A job that waited for its turn again puts nothing old over what another wrote meanwhile. */
function isNewer(
  found: Awaited<ReturnType<OpenedStorage['look']>>,
  { made_of, edition }: ExportedFile,
): boolean {
  if (found === null || found === 'unreadable' || found.made_of !== made_of || found.edition === null)
    return false;
  const { version, job_id } = found.edition;
  return version === edition.version ? job_id > edition.job_id : version > edition.version;
}

const superseded = (path: string) =>
  `A newer export of the same is at ${path} by now: it stays, and there is nothing to do.`;
const taken = (path: string) => `There is something at ${path} that is not an earlier export of the same.`;
const unreadable =
  'Or it is one, and the credentials do not let Kinora read that: allow it to read what it wrote.';

function conditionFor(
  found: Found | null | 'unreadable',
  { made_of, path }: ExportedFile,
  overwrite: boolean,
): Condition {
  if (found === null) return { is: 'absent' };
  if (found === 'unreadable') return overwrite ? { is: 'anything' } : { is: 'absent' };
  if (found.made_of !== made_of && !overwrite) throw storageObjectExists(taken(path));
  return { is: 'version', version: found.version };
}

/** Sends the parts that are not there yet. Null where the time is over. */
async function inParts(
  storage: OpenedStorage,
  { source }: ExportedFile,
  { resume, remember, signal, until, onProgress }: Writing,
  fresh: Pick<Resume, 'digests' | 'again'>,
  condition: Condition,
): Promise<Resume | null> {
  const { size } = source;
  const partBytes = storage.partBytes(size);
  let reached = resume;
  if (reached === null) {
    const upload = await storage.begin(size, fresh.digests, condition);
    reached = { ...fresh, upload, receipts: [] };
    await remember(reached).catch(async (error: unknown) => {
      await storage.abort(upload).catch(() => {});
      throw error;
    });
  }
  const start = reached.receipts.length * partBytes;
  for await (const body of rangesOf(source, partBytes, start, signal)) {
    if (performance.now() > until) return null;
    const index: number = reached.receipts.length;
    const first = index * partBytes;
    const receipt = await storage.part(reached.upload, { index, body, first, size });
    reached = { ...reached, receipts: [...reached.receipts, receipt] };
    await remember(reached);
    onProgress((first + body.length) / size);
  }
  return reached;
}

const wholeOf = ({ receipts, digests }: Resume, { source: { size } }: ExportedFile) => ({
  receipts,
  digests,
  size,
});
