/**
 * Block blobs of Azure, written with a shared access signature: Put Blob at once, Put Block and Put Block List in parts.
 * https://learn.microsoft.com/rest/api/storageservices/put-blob
 */
import { createHash } from 'node:crypto';
import {
  providerThrottled,
  providerUnavailable,
  storageAccessDenied,
  storageNotFound,
} from '../../shared/job-errors.ts';
import {
  type Condition,
  ConditionNotMet,
  editionIn,
  type OpenedStorage,
  partBytesOf,
  UploadSpoilt,
} from './opened.ts';
import type { Confirmed, Digests, ExportedFile, Storage } from './port.ts';
import { type Answer, type Asking, answerTo, NoAnswer, passes } from './requests.ts';

const VERSION = '2021-12-02';

type Headers = Readonly<Record<string, string>>;

/** Throws a JobError where the signature has expired. */
export function openAzure(
  { path, content_type, made_of, edition }: Omit<ExportedFile, 'source'>,
  { destination, authentication }: Storage,
  asking: Asking,
  now: Date,
): OpenedStorage {
  const token = String(authentication.sas_token).replace(/^\?/, '');
  requireCurrent(token, now);
  const location = `${destination.blob_url!.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const described = ({ sha256, md5 }: Digests): Headers => ({
    'x-ms-blob-content-type': content_type,
    'x-ms-blob-content-md5': md5,
    'x-ms-meta-kinora_made_of': made_of,
    'x-ms-meta-kinora_sha256': sha256,
    'x-ms-meta-kinora_version': String(edition.version),
    'x-ms-meta-kinora_job': edition.job_id,
  });
  const ask = async (method: string, query: string, headers: Headers = {}, body?: Uint8Array) => {
    const url = `${location}?${query}${query === '' ? '' : '&'}${token}`;
    const all = { 'x-ms-version': VERSION, ...headers };
    return answerTo({ method, url, headers: all, ...(body && { body }) }, asking).catch((error: unknown) => {
      throw error instanceof NoAnswer ? unreached(error, location) : error;
    });
  };
  const requireWritten = ({ status, headers, body }: Answer): void => {
    if (status !== 201) throw failureOf(status, codeOf(headers, body), body);
  };
  return {
    location,
    partBytes: partBytesOf,
    look: async () => {
      const { status, headers, body } = await ask('HEAD', '');
      if (status === 200) {
        const header = (name: string) => (headers[name] as string | undefined) ?? null;
        const isOfParts = header('x-ms-meta-kinora_confirmed') === 'parts';
        return {
          made_of: header('x-ms-meta-kinora_made_of'),
          sha256: header('x-ms-meta-kinora_sha256'),
          edition: editionIn(
            header('x-ms-meta-kinora_version') ?? undefined,
            header('x-ms-meta-kinora_job') ?? undefined,
          ),
          version: header('etag') ?? '',
          size: Number(header('content-length')),
          confirmed: isOfParts ? ofParts : ofFile(header('content-md5')),
        };
      }
      const code = codeOf(headers, body);
      if (status === 404 && code !== 'ContainerNotFound') return null;
      if (status === 403 && code !== 'AuthenticationFailed') return 'unreadable';
      throw failureOf(status, code, body);
    },
    put: async (body, digests, condition) => {
      // Azure compares Content-MD5 with what arrived.
      const checked = { 'x-ms-blob-type': 'BlockBlob', 'Content-MD5': digests.md5 };
      const headers = { ...checked, ...described(digests), ...headersFor(condition) };
      requireWritten(await ask('PUT', '', headers, body));
      return { algorithm: 'MD5', of: 'file', value: digests.md5 };
    },
    // Blocks of the same content have the same names, so that an upload that is begun again replaces its own.
    begin: async (_size, { sha256 }) => sha256.slice(0, 16),
    part: async (upload, { index, body }) => {
      // The ids of all blocks of a blob have the same length.
      const id = Buffer.from(`${upload}-${String(index).padStart(6, '0')}`).toString('base64');
      const md5 = createHash('md5').update(body).digest('base64');
      const query = `comp=block&blockid=${encodeURIComponent(id)}`;
      requireWritten(await ask('PUT', query, { 'Content-MD5': md5 }, body));
      return id;
    },
    complete: async (_upload, { receipts, digests }, condition) => {
      const list = receipts.map((id) => `<Latest>${id}</Latest>`).join('');
      const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`);
      const headers = {
        'Content-Type': 'application/xml',
        ...described(digests),
        // Azure keeps the MD5 of the whole as it is told, and compares it with nothing.
        'x-ms-meta-kinora_confirmed': 'parts',
        ...headersFor(condition),
      };
      const answer = await ask('PUT', 'comp=blocklist', headers, body);
      const code = codeOf(answer.headers, answer.body);
      // Blocks go after a week, and whenever another request writes the blob: Put Block and Put Blob, Remarks.
      if (code === 'InvalidBlockList') throw new UploadSpoilt(`Azure says ${code}`);
      requireWritten(answer);
      return ofParts;
    },
    // Blocks that no list names are removed by Azure after a week.
    abort: async () => {},
  };
}

const ofFile = (value: string | null): Confirmed | null =>
  value === null ? null : { algorithm: 'MD5', of: 'file', value };
const ofParts: Confirmed = { algorithm: 'MD5', of: 'parts', value: null };

/** `se` is when the signature ends. "Create a service SAS", table of fields. */
function requireCurrent(token: string, now: Date): void {
  const expiry = new URLSearchParams(token).get('se');
  if (expiry === null || !(Date.parse(expiry) <= now.getTime())) return;
  throw storageAccessDenied(
    `The shared access signature expired at ${new Date(expiry).toISOString()}: give the storage a new sas_token.`,
  );
}

const headersFor = (condition: Condition): Headers => ({
  ...(condition.is === 'absent' && { 'If-None-Match': '*' }),
  ...(condition.is === 'version' && { 'If-Match': condition.version }),
});

const codeOf = (headers: Answer['headers'], body: string): string =>
  String(headers['x-ms-error-code'] ?? /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? '');

/** "Common REST API error codes" and "Blob Storage error codes". */
function failureOf(status: number, code: string, body: string): Error {
  if (['ConditionNotMet', 'TargetConditionNotMet', 'BlobAlreadyExists'].includes(code)) {
    return new ConditionNotMet();
  }
  if (status === 404) return storageNotFound(`Azure has no such container (${code}): check blob_url.`);
  if (code === 'AuthenticationFailed' && /time frame|expir/i.test(body)) {
    return storageAccessDenied(
      'The shared access signature is outside of its time: give the storage a new sas_token.',
    );
  }
  if (status === 401 || code === 'AuthenticationFailed') {
    return storageAccessDenied(
      'Azure does not accept the shared access signature: it must be whole, as the portal shows it, and of this container.',
    );
  }
  if (status === 403) {
    return storageAccessDenied(
      `Azure refuses the shared access signature (${code}): it needs the permissions create and write, and read so that Kinora recognises what it wrote; and the firewall of the account has to let Kinora in.`,
    );
  }
  // "Scalability and performance targets": beyond the targets of an account it answers 503 (Server Busy).
  if (status === 429 || code === 'ServerBusy')
    return providerThrottled(`Azure could not take the file: ${code || status}.`);
  if (passes(status) || code === 'Md5Mismatch')
    return providerUnavailable(`Azure could not take the file: ${code || status}.`);
  // A lease, a policy of immutability, a blob of another type; or no Azure at all.
  return storageAccessDenied(
    `Azure does not take the file (${code === '' ? `status ${status}` : code}): check blob_url, and what the container says of the blob.`,
  );
}

function unreached({ code, message }: NoAnswer, location: string): Error {
  const { host } = new URL(location);
  if (code === 'ENOTFOUND') return storageNotFound(`There is no host ${host}: check blob_url.`);
  if (code === null) return storageAccessDenied(`blob_url cannot be reached: ${message}.`);
  return providerUnavailable(`${host} did not answer (${code}).`);
}
