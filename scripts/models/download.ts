/** Downloads a large file. A later attempt continues with the bytes that have arrived. */
import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, createReadStream, openSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../shared/checked-access.ts';
import { ModelFailure, withCure } from './failure.ts';

export type Wanted = {
  url: string;
  /** The expected size; null if unknown. */
  bytes: number | null;
  sha256: string | null;
};

type Downloaded = { bytes: number; sha256: string };

/** Called with the number of bytes that have arrived, including earlier runs, and the total. The total is null if the server does not state it. */
type Progress = (arrived: number, total: number | null) => void;

/** A temporary error: a retry may succeed. */
class Passing extends Error {}

/** The download fails after this many attempts in a row without a new byte. */
const ATTEMPTS = 5;
/** The wait before the second attempt. It doubles for each further attempt. */
const PAUSE_MS = 500;
/** A connection without data for this long is closed. */
const STALL_MS = 60_000;
const REDIRECTS = 5;

/**
 * Downloads `wanted` to `file`, and continues after the bytes in `….part`. The file gets its name only when its length and checksum are
 * right. A wrong file is removed, so that the next run starts again. Throws `ModelFailure` if the download fails.
 */
export async function download(
  wanted: Wanted,
  file: string,
  progress: Progress,
  pause_ms = PAUSE_MS,
): Promise<Downloaded> {
  await mkdir(dirname(file), { recursive: true });
  const before = await arrivedBefore(wanted, file);
  if (before) return before;
  const part = `${file}.part`;
  const atFirst = await sizeOf(part);
  for (let attempt = 1, last = atFirst; ; attempt += 1) {
    try {
      await fetchRest(wanted, part, progress);
      break;
    } catch (error) {
      if (!(error instanceof Passing)) throw withCure(error);
      const arrived = await sizeOf(part);
      if (arrived > last) attempt = 1;
      last = arrived;
      if (attempt >= ATTEMPTS || (arrived === atFirst && isOffline(error)))
        throw outOfReach(wanted.url, arrived, error);
      await sleep(pause_ms * 2 ** (attempt - 1));
    }
  }
  return accept(wanted, file);
}

/** Returns the complete file of an earlier run. Null if none exists. Removes a file with a wrong checksum. */
async function arrivedBefore({ sha256 }: Wanted, file: string): Promise<Downloaded | null> {
  const bytes = await sizeOf(file);
  if (bytes === 0) return null;
  const found = { bytes, sha256: await sha256Of(file) };
  if ((sha256 ?? found.sha256) === found.sha256) return found;
  await rm(file);
  return null;
}

/**
 * Downloads the missing bytes. If the source has changed since the last attempt, the file mixes old and new bytes, and its checksum
 * is wrong. If no checksum is known, bzip2 reports a damaged archive.
 */
async function fetchRest(wanted: Wanted, part: string, progress: Progress): Promise<void> {
  const arrived = await sizeOf(part);
  // RFC 9110 §14.2: a server without ranges sends the whole file, with the status 200.
  const answer = await ask(wanted.url, arrived === 0 ? {} : { range: `bytes=${arrived}-` });
  const status = defined(answer.statusCode);
  try {
    if (status === ALL_IS_HERE) return;
    if (status !== 200 && status !== 206) throw refused(wanted.url, status);
    const from = status === 206 ? arrived : 0;
    const length = answer.headers['content-length'];
    const total = length === undefined ? null : from + Number(length);
    assertLength(wanted, total);
    await append(answer, part, { arrived: from, total, progress });
  } finally {
    answer.destroy();
  }
}

/** RFC 9110 §15.5.17: the range begins after the end of the file. */
const ALL_IS_HERE = 416;

/**
 * Writes received data before it reads more. If the connection breaks, unread data is lost and must be downloaded
 * again.
 */
async function append(
  answer: IncomingMessage,
  file: string,
  {
    arrived,
    total,
    progress,
  }: { readonly arrived: number; readonly total: number | null; readonly progress: Progress },
): Promise<void> {
  const part = openSync(file, arrived === 0 ? 'w' : 'a');
  let count = arrived;
  progress(count, total);
  try {
    await new Promise<void>((resolve, reject) => {
      answer.on('data', (piece: Buffer) => {
        try {
          appendFileSync(part, piece);
          count += piece.length;
          progress(count, total);
        } catch (error) {
          reject(error);
          answer.destroy();
        }
      });
      answer.once('end', resolve);
      answer.once('error', (error) => reject(new Passing(error.message, { cause: error })));
    });
  } finally {
    closeSync(part);
  }
  if (total !== null && count < total) throw new Passing('The answer ended before its end.');
}

/** Follows redirects, which GitHub's releases need, but never from HTTPS to HTTP. */
async function ask(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  let at = new URL(url);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const answer = await request(at, headers);
    const { location } = answer.headers;
    const isRedirect =
      defined(answer.statusCode) >= 300 && defined(answer.statusCode) <= 399 && location !== undefined;
    if (!isRedirect) return answer;
    answer.destroy();
    const next = new URL(location, at);
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      throw new ModelFailure(
        `${url} redirects to ${next.origin}, which is not encrypted, so nothing was downloaded.`,
      );
    at = next;
  }
  throw new ModelFailure(`${url} redirects too many times.`);
}

function request(url: URL, headers: Record<string, string>): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? https.get : http.get;
  return new Promise((resolve, reject) => {
    // Without compression: progress and ranges count the bytes of the file.
    const asked = get(url, { headers: { ...headers, 'accept-encoding': 'identity' }, timeout: STALL_MS });
    asked.once('response', resolve);
    asked.once('timeout', () => asked.destroy(new Error('nothing has come for a minute')));
    asked.once('error', (error) => reject(new Passing(error.message, { cause: error })));
  });
}

function assertLength({ url, bytes }: Wanted, total: number | null): void {
  if (bytes === null || total === null || bytes === total) return;
  throw new ModelFailure(`${url} has ${total} bytes instead of ${bytes}: ${CHANGED}`);
}

const CHANGED = 'the file at its source is another. Nothing of it is used.';

async function accept({ url, bytes, sha256 }: Wanted, file: string): Promise<Downloaded> {
  const found = { bytes: await sizeOf(`${file}.part`), sha256: await sha256Of(`${file}.part`) };
  const isRight = (sha256 ?? found.sha256) === found.sha256 && (bytes ?? found.bytes) === found.bytes;
  if (!isRight) {
    await rm(`${file}.part`, { force: true });
    throw new ModelFailure(
      `${url} has the SHA-256 ${found.sha256} instead of ${sha256}: it was damaged on the way, or ${CHANGED}`,
    );
  }
  await rename(`${file}.part`, file);
  return found;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

function refused(url: string, status: number): Error {
  if (status === 404 || status === 410)
    return new ModelFailure(`No file exists at ${url} (${status}). Its release may have changed.`);
  if (status >= 500 || status === 408 || status === 429) return new Passing(`The server answers ${status}.`);
  return new ModelFailure(`${url} cannot be downloaded: the server answers ${status}.`);
}

/** Connection errors for which a retry is useless, because they last too long. */
const OFFLINE =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)$|CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

const isOffline = ({ cause }: Error): boolean =>
  OFFLINE.test((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

function outOfReach(url: string, arrived: number, cause: Passing): ModelFailure {
  const kept =
    arrived > 0 ? `The downloaded part (${Math.round(arrived / 1e6)} MB) is kept: run` : 'Then run';
  const why = isOffline(cause) ? 'cannot be reached' : 'does not answer as it should';
  return new ModelFailure(
    `${new URL(url).host} ${why} (${cause.message}). Check the network, or a proxy (HTTPS_PROXY). ${kept} the command again.`,
    { cause },
  );
}
