/**
 * Writes to Google Cloud Storage through its JSON API: small files in one multipart request, large files in a resumable session.
 * https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 * docs/decisions/0075-export-clients.md explains why it does not use Google's SDK.
 */
import { randomUUID } from 'node:crypto';
import {
  providerThrottled,
  providerUnavailable,
  storageAccessDenied,
  storageNotFound,
} from '../../shared/job-errors.ts';
import { accessToken, type ServiceAccount, type TokenPlace } from './gcs-token.ts';
import {
  type Condition,
  ConditionNotMet,
  encodedPath,
  identityIn,
  metadataOf,
  type OpenedStorage,
  type Part,
  UploadConditionFailed,
  UploadNotFound,
  UploadRejected,
  type WrittenFile,
} from './opened-storage.ts';
import type { Confirmed, Digests, Storage } from './port.ts';
import { type Answer, isRetryable, NoAnswer, sendRequest } from './send-request.ts';

type Headers = Readonly<Record<string, string>>;

interface GcsObject {
  readonly generation: string;
  readonly size: string;
  readonly md5Hash?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface GcsPlace extends TokenPlace {
  readonly origin: string;
}

export async function openGcs(
  file: WrittenFile,
  { destination, authentication }: Storage,
  place: GcsPlace,
): Promise<OpenedStorage> {
  const { bucket_name: bucket = '' } = destination;
  const { origin } = place;
  const { path, content_type } = file;
  const token = await accessToken(authentication.credentials as ServiceAccount, place);
  const ask = (method: string, url: string, headers: Headers = {}, body?: Uint8Array) => {
    const all = { Authorization: `Bearer ${token}`, ...headers };
    return sendRequest({ method, url, headers: all, ...(body && { body }) }, place).catch(
      (error: unknown) => {
        throw error instanceof NoAnswer
          ? providerUnavailable(`Google Cloud Storage did not answer: ${error.message}.`)
          : error;
      },
    );
  };
  const failing = (answer: Answer) => failureOf(answer, bucket);
  const uploads = (uploadType: string, condition: Condition) =>
    `${origin}/upload/storage/v1/b/${bucket}/o?uploadType=${uploadType}${parameterFor(condition)}`;
  const described = ({ sha256, md5 }: Digests) =>
    Buffer.from(
      JSON.stringify({
        ...{ name: path, contentType: content_type },
        // Google refuses content with a different MD5.
        md5Hash: md5,
        metadata: metadataOf(file, sha256, '-'),
      }),
    );
  return {
    location: `gs://${bucket}/${encodedPath(path)}`,
    findObject: async () => {
      const answer = await ask('GET', `${origin}/storage/v1/b/${bucket}/o/${encodeURIComponent(path)}`);
      if (answer.status === 404) return null;
      if (answer.status === 403) return 'unreadable';
      if (answer.status !== 200) throw failing(answer);
      const { metadata, generation, size, md5Hash } = objectIn(answer.body);
      return {
        ...identityIn(metadata, '-'),
        version: generation,
        size: Number(size),
        confirmed: md5Hash === undefined ? null : confirmed(md5Hash),
      };
    },
    putObject: async (body, digests, condition) => {
      const boundary = randomUUID();
      const type = { 'Content-Type': `multipart/related; boundary=${boundary}` };
      const whole = Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n`),
        described(digests),
        Buffer.from(`\r\n--${boundary}\r\nContent-Type: ${content_type}\r\n\r\n`),
        body,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const answer = await ask('POST', uploads('multipart', condition), type, whole);
      if (answer.status !== 200) throw failing(answer);
      if (md5In(answer.body) !== digests.md5) throw providerUnavailable(`${otherChecksum}.`);
      return confirmed(digests.md5);
    },
    beginUpload: async (size, digests, condition) => {
      const headers = {
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Upload-Content-Type': content_type,
        'X-Upload-Content-Length': String(size),
      };
      const answer = await ask('POST', uploads('resumable', condition), headers, described(digests));
      const session = answer.headers.location;
      if (answer.status !== 200 || session === undefined) throw failing(answer);
      // Later requests send the access token to the URL of the session. So this URL must have Google's origin.
      if (new URL(session).origin !== new URL(origin).origin) throw failing(answer);
      return session;
    },
    uploadPart: async (session, part) => {
      let first = part.first;
      for (;;) {
        const answer = await ask(
          'PUT',
          session,
          { 'Content-Range': rangeOf(part, first) },
          part.body.subarray(first - part.first),
        );
        // Google answers 499 for a canceled session.
        if ([404, 410, 499].includes(answer.status)) throw new UploadNotFound();
        // The condition of a session cannot be changed, so the upload must restart.
        if (answer.status === 412) throw new UploadConditionFailed();
        // The answer to the last part contains the object, or an error if its MD5 differs.
        if (answer.status === 200 || answer.status === 201) return answer.body;
        if (answer.status === 400) throw new UploadRejected(`Google answers with ${statusIn(answer)}`);
        if (answer.status !== 308) throw failing(answer);
        const next = persistedIn(answer);
        if (next >= part.first + part.body.length) return '';
        if (next <= first)
          throw providerUnavailable('Google Cloud Storage stored none of the bytes that were sent.');
        first = next;
      }
    },
    completeUpload: async (_session, { receipts, digests }) => {
      const made = md5In(receipts.at(-1) ?? '{}');
      if (made !== digests.md5) throw new UploadRejected(otherChecksum);
      return confirmed(made);
    },
    // Google answers 499 ("Cancel an upload").
    abortUpload: async (session) => {
      await ask('DELETE', session);
    },
  };
}

function parameterFor(condition: Condition): string {
  if (condition.is === 'anything') return '';
  return `&ifGenerationMatch=${condition.is === 'absent' ? '0' : condition.version}`;
}

const rangeOf = ({ first: start, body, size }: Part, first: number): string =>
  `bytes ${first}-${start + body.length - 1}/${size}`;

/** Returns the number of bytes that Google has stored, from its header `Range: bytes=0-262143`. Returns 0 if the header is missing. */
function persistedIn({ headers: { range } }: Answer): number {
  const last = /^bytes=0-(\d+)$/.exec(String(range ?? ''))?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

const confirmed = (md5: string): Confirmed => ({ algorithm: 'MD5', of: 'file', value: md5 });

const md5In = (object: string): string | undefined => objectIn(object).md5Hash;
const otherChecksum = 'The checksum of Google Cloud Storage differs from that of the bytes that were sent';

/** Parses the object in the answer. Throws if the answer is not JSON: it may come from a proxy. */
function objectIn(body: string): GcsObject {
  try {
    return JSON.parse(body) as GcsObject;
  } catch (error) {
    throw providerUnavailable('The answer of Google Cloud Storage is not an object.', error);
  }
}

/** Returns Google's status and reason code, which our errors show (cloud.google.com/storage/docs/json_api/v1/status-codes). */
function statusIn({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const reason = /"reason":\s*"([a-zA-Z]{1,60})"/.exec(body)?.[1];
  return `status ${status}${reason === undefined ? '' : ` (${reason})`}`;
}

function failureOf({ status, body }: Answer, bucket: string): Error {
  if (status === 412) return new ConditionNotMet();
  if (status === 404) return storageNotFound(`Google has no bucket ${bucket}: check bucket_name.`);
  if (status === 401 || status === 403) {
    const missing = /storage\.[a-zA-Z.]{1,60}/.exec(body)?.[0];
    return storageAccessDenied(
      `Google does not let the service account write to ${bucket}${missing === undefined ? '' : ` (it lacks ${missing})`}. Give it the role Storage Object User (roles/storage.objectUser).`,
    );
  }
  const notNow = `Google Cloud Storage could not take the file (status ${status}).`;
  if (status === 429) return providerThrottled(notNow);
  // 409 means that two requests conflict. A status below 400 here comes from a proxy.
  if (isRetryable(status) || status === 409 || status < 400) return providerUnavailable(notNow);
  return storageAccessDenied(
    `Google Cloud Storage does not take the file into ${bucket}: it answers with ${statusIn({ status, body })}.`,
  );
}
