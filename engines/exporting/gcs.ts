/**
 * Buckets of Google Cloud Storage, through its JSON API: small files in one multipart request, large ones in a resumable
 * session. https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 */
import { randomUUID } from 'node:crypto';
import {
  providerThrottled,
  providerUnavailable,
  storageAccessDenied,
  storageNotFound,
} from '../../shared/job-errors.ts';
import { accessToken, type ServiceAccount } from './gcs-token.ts';
import {
  type Condition,
  ConditionNotMet,
  editionIn,
  type OpenedStorage,
  type Part,
  partBytesOf,
  UploadGone,
  UploadSpent,
  UploadSpoilt,
} from './opened-storage.ts';
import type { Confirmed, Digests, ExportedFile, Storage } from './port.ts';
import { type Answer, type Asking, answerTo, NoAnswer, passes } from './send-request.ts';

type Headers = Readonly<Record<string, string>>;

/** An object as the API shows it, as far as it is read here. */
interface GcsObject {
  readonly generation: string;
  readonly size: string;
  readonly md5Hash?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface GcsPlace extends Asking {
  /** Origin of the API. */
  readonly origin: string;
  /** Schemes that `token_uri` of the credentials may have. */
  readonly schemes: readonly string[];
  readonly now: Date;
}

export async function openGcs(
  { path, content_type, made_of, edition }: Omit<ExportedFile, 'source'>,
  { destination, authentication }: Storage,
  place: GcsPlace,
): Promise<OpenedStorage> {
  const { bucket_name: bucket = '' } = destination;
  const { origin } = place;
  const token = await accessToken(authentication.credentials as ServiceAccount, place);
  const ask = (method: string, url: string, headers: Headers = {}, body?: Uint8Array) => {
    const all = { Authorization: `Bearer ${token}`, ...headers };
    return answerTo({ method, url, headers: all, ...(body && { body }) }, place).catch((error: unknown) => {
      throw error instanceof NoAnswer
        ? providerUnavailable(`Google Cloud Storage did not answer: ${error.message}.`)
        : error;
    });
  };
  const failing = (answer: Answer) => failureOf(answer, bucket);
  const uploads = (uploadType: string, condition: Condition) =>
    `${origin}/upload/storage/v1/b/${bucket}/o?uploadType=${uploadType}${parameterFor(condition)}`;
  const described = ({ sha256, md5 }: Digests) =>
    Buffer.from(
      JSON.stringify({
        ...{ name: path, contentType: content_type },
        // Google refuses content that has another MD5.
        md5Hash: md5,
        metadata: {
          'kinora-made-of': made_of,
          'kinora-sha256': sha256,
          'kinora-version': String(edition.version),
          'kinora-job': edition.job_id,
        },
      }),
    );
  return {
    location: `gs://${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`,
    partBytes: partBytesOf,
    look: async () => {
      const answer = await ask('GET', `${origin}/storage/v1/b/${bucket}/o/${encodeURIComponent(path)}`);
      if (answer.status === 404) return null;
      if (answer.status === 403) return 'unreadable';
      if (answer.status !== 200) throw failing(answer);
      const { metadata = {}, generation, size, md5Hash } = objectIn(answer.body);
      return {
        made_of: metadata['kinora-made-of'] ?? null,
        sha256: metadata['kinora-sha256'] ?? null,
        edition: editionIn(metadata['kinora-version'], metadata['kinora-job']),
        version: generation,
        size: Number(size),
        confirmed: md5Hash === undefined ? null : confirmed(md5Hash),
      };
    },
    put: async (body, digests, condition) => {
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
      if (md5In(answer.body) !== digests.md5) throw providerUnavailable(`${another}.`);
      return confirmed(digests.md5);
    },
    begin: async (size, digests, condition) => {
      const headers = {
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Upload-Content-Type': content_type,
        'X-Upload-Content-Length': String(size),
      };
      const answer = await ask('POST', uploads('resumable', condition), headers, described(digests));
      const session = answer.headers.location;
      if (answer.status !== 200 || session === undefined) throw failing(answer);
      // It is written to without asking again where it leads.
      if (new URL(session).origin !== new URL(origin).origin) throw failing(answer);
      return session;
    },
    part: async (session, part) => {
      let first = part.first;
      for (;;) {
        const answer = await ask(
          'PUT',
          session,
          { 'Content-Range': rangeOf(part, first) },
          part.body.subarray(first - part.first),
        );
        // 499 is what it answers of one that was canceled, too.
        if ([404, 410, 499].includes(answer.status)) throw new UploadGone();
        // The condition is the session's, for as long as there is one.
        if (answer.status === 412) throw new UploadSpent();
        // The last part is answered with the object, or with what is wrong with it: its MD5 is another.
        if (answer.status === 200 || answer.status === 201) return answer.body;
        if (answer.status === 400) throw new UploadSpoilt(`Google answers with ${statusIn(answer)}`);
        if (answer.status !== 308) throw failing(answer);
        const next = persistedIn(answer);
        if (next >= part.first + part.body.length) return '';
        if (next <= first)
          throw providerUnavailable('Google Cloud Storage keeps nothing of what it is sent.');
        first = next;
      }
    },
    complete: async (_session, { receipts, digests }) => {
      const made = md5In(receipts.at(-1) ?? '{}');
      if (made !== digests.md5) throw new UploadSpoilt(another);
      return confirmed(made);
    },
    // "Cancel an upload": the answer is 499.
    abort: async (session) => {
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

/** How many bytes it has, by its Range header `bytes=0-262143`; none where it has none. */
function persistedIn({ headers: { range } }: Answer): number {
  const last = /^bytes=0-(\d+)$/.exec(String(range ?? ''))?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

const confirmed = (md5: string): Confirmed => ({ algorithm: 'MD5', of: 'file', value: md5 });

const md5In = (object: string): string | undefined => objectIn(object).md5Hash;
const another = 'Google Cloud Storage has another checksum than what was sent to it';

/** Whatever stands between may answer in its place. */
function objectIn(body: string): GcsObject {
  try {
    return JSON.parse(body) as GcsObject;
  } catch (error) {
    throw providerUnavailable('Google Cloud Storage answered with something else than an object.', error);
  }
}

/** With its word for the reason; what else it says is not passed on. https://cloud.google.com/storage/docs/json_api/v1/status-codes */
function statusIn({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const reason = /"reason":\s*"([a-zA-Z]{1,60})"/.exec(body)?.[1];
  return `status ${status}${reason === undefined ? '' : ` (${reason})`}`;
}

/** "HTTP status and error codes for JSON". */
function failureOf({ status, body }: Answer, bucket: string): Error {
  if (status === 412) return new ConditionNotMet();
  if (status === 404) return storageNotFound(`Google has no bucket ${bucket}: check bucket_name.`);
  if (status === 401 || status === 403) {
    const missing = /storage\.[a-zA-Z.]{1,60}/.exec(body)?.[0];
    return storageAccessDenied(
      `Google refuses the service account to write to ${bucket}${missing === undefined ? '' : ` (it lacks ${missing})`}. The role Storage Object User (roles/storage.objectUser) has what is needed.`,
    );
  }
  const notNow = `Google Cloud Storage could not take the file (status ${status}).`;
  if (status === 429) return providerThrottled(notNow);
  // 409 is for requests that meet each other; what is no error, and still not what was asked for, comes of something in between.
  if (passes(status) || status === 409 || status < 400) return providerUnavailable(notNow);
  return storageAccessDenied(
    `Google Cloud Storage does not take the file into ${bucket}: it answers with ${statusIn({ status, body })}.`,
  );
}
