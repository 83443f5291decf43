/**
 * Writes a file to an opened storage of any type. It replaces an older export of the same thing. It never replaces a newer export,
 * and replaces another object only with `overwrite`. If the same file is already there, it writes nothing. It sends large files in
 * parts, and a later call can continue.
 */
import { providerGivenUp, storageObjectExists } from '../../shared/job-errors.ts';
import { computeDigests, readRanges } from './file-digests.ts';
import {
  type Condition,
  ConditionNotMet,
  type Found,
  type OpenedStorage,
  partSizeFor,
  type State,
  UploadConditionFailed,
  UploadNotFound,
  UploadRejected,
  WriteConflict,
} from './opened-storage.ts';
import type { Confirmed, Digests, ExportedFile, Resume, Writing, Written } from './port.ts';

/** Files up to this size are sent in one request, bytes. */
const AT_ONCE_BYTES = 8 * 1024 * 1024;
/** The maximum number of attempts. Another attempt is made after a conflict with another write, or if an upload was lost. */
const ATTEMPTS = 3;

export async function writeToStorage(storage: OpenedStorage, file: ExportedFile, writing: Writing) {
  const { source, path } = file;
  let { resume } = writing;
  let again = resume?.again;
  let digests = resume?.digests ?? (await computeDigests(source, writing.signal));
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
  let found = await storage.findObject();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    writing.signal.throwIfAborted();
    if (isSame(found, file, digests)) {
      // Either another job wrote the same file, or our own upload was completed but its answer was lost.
      if (resume !== null) await storage.abortUpload(resume.upload).catch(() => {});
      return written(found.confirmed);
    }
    if (isNewer(found, file)) throw storageObjectExists(superseded(path));
    const condition = conditionFor(found, file, writing.overwrite);
    try {
      const isAtOnce = resume === null && source.size <= AT_ONCE_BYTES;
      if (isAtOnce) {
        const body =
          source.size === 0 ? new Uint8Array() : await source.read(0, source.size - 1, writing.signal);
        return written(await storage.putObject(body, digests, condition));
      }
      const fresh = { digests, ...(again && { again }) };
      const reached = await inParts(storage, file, {
        writing: { ...writing, resume, remember },
        fresh,
        condition,
      });
      return reached === null
        ? null
        : written(await storage.completeUpload(reached.upload, { ...reached, size: source.size }, condition));
    } catch (error) {
      const isRefused = error instanceof ConditionNotMet;
      const isConflict = error instanceof WriteConflict;
      if (!isRefused && !isConflict && !(error instanceof UploadNotFound)) throw error;
      const isRejected = error instanceof UploadRejected;
      if (isRejected && again) throw rejectedTwice(storage, error);
      if (isRejected) {
        again = true;
        // The stored checksums may be wrong, so they are computed again.
        digests = await computeDigests(source, writing.signal);
      }
      const mustRestart = isConflict || isRejected || error instanceof UploadConditionFailed;
      if (mustRestart && resume !== null) await storage.abortUpload(resume.upload).catch(() => {});
      if (mustRestart || !isRefused) resume = null;
      // The state is `unreadable` also if there is no object. Our own request may have written the object, although its answer was lost.
      const wasReadable = found !== 'unreadable';
      found = await storage.findObject();
      if (isRefused && !wasReadable && found === 'unreadable')
        throw storageObjectExists(`${takenMessage(path)} ${unreadable}`);
    }
  }
  throw storageObjectExists(`Another program writes to ${path} at the same time.`);
}

/** There is no third attempt, because it would send all parts again and fail in the same way. */
const rejectedTwice = ({ location }: OpenedStorage, { message }: UploadRejected) =>
  providerGivenUp(`The storage accepted all parts of ${location} but rejected the file, twice: ${message}.`);

const isSame = (found: State, { made_of, edition, source }: ExportedFile, digests: Digests): found is Found =>
  found !== null &&
  found !== 'unreadable' &&
  found.made_of === made_of &&
  found.sha256 === digests.sha256 &&
  agrees(found.confirmed, digests) &&
  // If the object has a lower version, the same bytes are written again. Otherwise, an export with a version between both would overwrite them.
  (found.edition === null || found.edition.version >= edition.version) &&
  found.size === source.size;

/** Whether the storage computed the same checksum. Metadata are not enough: anyone with write access can set them. */
function agrees(confirmed: Confirmed | null, { sha256, md5, crc32 }: Digests): boolean {
  if (confirmed === null || confirmed.of !== 'file') return true;
  const own = { SHA256: Buffer.from(sha256, 'hex').toString('base64'), CRC32: crc32, MD5: md5 };
  return confirmed.value === own[confirmed.algorithm];
}

/** Whether the object at the path is a newer export. A job that waited in a queue must not overwrite a newer export. */
function isNewer(found: State, { made_of, edition }: ExportedFile): boolean {
  if (found === null || found === 'unreadable' || found.made_of !== made_of || found.edition === null)
    return false;
  const { version, job_id } = found.edition;
  return version === edition.version ? job_id > edition.job_id : version > edition.version;
}

const superseded = (path: string) =>
  `A newer export of the same file is already at ${path}. It was kept; you need not do anything.`;
const takenMessage = (path: string) => `The object at ${path} is not an earlier export of the same file.`;
const unreadable =
  'If it is one, the credentials do not let Kinora read it: allow Kinora to read the objects that it wrote.';

function conditionFor(found: State, { made_of, path }: ExportedFile, overwrite: boolean): Condition {
  if (found === null) return { is: 'absent' };
  if (found === 'unreadable') return overwrite ? { is: 'anything' } : { is: 'absent' };
  if (found.made_of !== made_of && !overwrite) throw storageObjectExists(takenMessage(path));
  return { is: 'version', version: found.version };
}

/** Sends the parts that the storage does not have yet. Returns null if the time ran out. */
async function inParts(
  storage: OpenedStorage,
  { source }: ExportedFile,
  {
    writing: { resume, remember, signal, until, onProgress },
    fresh,
    condition,
  }: {
    readonly writing: Writing;
    readonly fresh: Pick<Resume, 'digests' | 'again'>;
    readonly condition: Condition;
  },
): Promise<Resume | null> {
  const { size } = source;
  const partBytes = partSizeFor(size);
  let reached = resume;
  if (reached === null) {
    const upload = await storage.beginUpload(size, fresh.digests, condition);
    reached = { ...fresh, upload, receipts: [] };
    await remember(reached).catch(async (error: unknown) => {
      await storage.abortUpload(upload).catch(() => {});
      throw error;
    });
  }
  const start = reached.receipts.length * partBytes;
  for await (const body of readRanges(source, partBytes, start, signal)) {
    if (performance.now() > until) return null;
    const index: number = reached.receipts.length;
    const first = index * partBytes;
    const receipt = await storage.uploadPart(reached.upload, { index, body, first, size });
    reached = { ...reached, receipts: [...reached.receipts, receipt] };
    await remember(reached);
    onProgress((first + body.length) / size);
  }
  return reached;
}
