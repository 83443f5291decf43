/** Writes block blobs to Azure with a shared access signature (learn.microsoft.com/rest/api/storageservices/put-blob). */
import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import {
  AnonymousCredential,
  type BlobRequestConditions,
  BlockBlobClient,
  newPipeline,
  RestError,
} from '@azure/storage-blob';
import {
  providerThrottled,
  providerUnavailable,
  storageAccessDenied,
  storageNotFound,
} from '../../shared/job-errors.ts';
import { notAllowed, onlyTo, SILENCE_MS, silent } from '../../shared/pinned-request.ts';
import { bareHost } from '../../shared/public-addresses.ts';
import {
  type Condition,
  ConditionNotMet,
  encodedPath,
  identityIn,
  metadataOf,
  type OpenedStorage,
  UploadRejected,
  type WrittenFile,
} from './opened-storage.ts';
import type { Confirmed, Digests, Storage } from './port.ts';
import { longestRequest, type RequestLimits } from './send-request.ts';

/** The SDK makes four attempts. It waits 0, 300 and 900 ms between them. */
const RETRIES = { maxTries: 4, retryDelayInMs: 300 };

/** Opens a storage of Azure. Throws a JobError if the signature has expired, or if the host is a private address. */
export function openAzure(
  file: WrittenFile,
  { destination, authentication }: Storage,
  limits: RequestLimits,
  now: Date,
): OpenedStorage {
  const token = String(authentication.sas_token).replace(/^\?/, '');
  requireCurrent(token, now);
  const location = `${String(destination.blob_url).replace(/\/+$/, '')}/${encodedPath(file.path)}`;
  const blob = new BlockBlobClient(`${location}?${token}`, pipelineTo(new URL(location), limits));
  const described = ({ sha256, md5 }: Digests, more: Readonly<Record<string, string>> = {}) => ({
    blobHTTPHeaders: { blobContentType: file.content_type, blobContentMD5: Buffer.from(md5, 'base64') },
    metadata: { ...metadataOf(file, sha256, '_'), ...more },
  });
  /** Runs one operation of the SDK, with its retries and a time limit, and converts its errors. */
  const run = async <Answer>(
    operation: (abortSignal: AbortSignal) => Promise<Answer>,
    bytes = 0,
  ): Promise<Answer> => {
    const leftMs = Math.ceil(limits.deadline - performance.now());
    const limitMs = Math.max(1, Math.min(longestRequest(bytes), leftMs));
    const timeout = AbortSignal.timeout(limitMs);
    try {
      return await operation(AbortSignal.any([limits.signal, timeout]));
    } catch (error) {
      limits.signal.throwIfAborted();
      if (timeout.aborted) throw unreached('ETIMEDOUT', `no answer in ${limitMs} ms`, location);
      throw error instanceof RestError ? failureOf(error, location) : error;
    }
  };
  return {
    location,
    findObject: async () => {
      const found = await run(async (abortSignal) =>
        blob.getProperties({ abortSignal }).catch((error: unknown) => {
          const { statusCode, code } = answerIn(error);
          if (statusCode === 404 && code !== 'ContainerNotFound') return null;
          if (statusCode === 403 && code !== 'AuthenticationFailed') return 'unreadable' as const;
          throw error;
        }),
      );
      if (found === null || found === 'unreadable') return found;
      const { metadata = {}, etag = '', contentLength = 0, contentMD5 } = found;
      return {
        ...identityIn(metadata, '_'),
        version: etag,
        size: contentLength,
        confirmed: metadata.kinora_confirmed === 'parts' ? ofParts : ofFile(contentMD5),
      };
    },
    putObject: async (body, digests, condition) => {
      // Put Blob compares x-ms-blob-content-md5 with the bytes that it received: "Windows Azure Blob MD5 Overview".
      const options = { ...described(digests), conditions: conditionsFor(condition) };
      await run(
        (abortSignal) => blob.upload(body, body.byteLength, { ...options, abortSignal }),
        body.byteLength,
      );
      return { algorithm: 'MD5', of: 'file', value: digests.md5 };
    },
    // The ids of blocks are derived from the content of the file. So an upload that starts again replaces its own blocks.
    beginUpload: async (_size, { sha256 }) => sha256.slice(0, 16),
    uploadPart: async (upload, { index, body }) => {
      // Azure requires ids of the same length for all blocks of a blob.
      const id = Buffer.from(`${upload}-${String(index).padStart(6, '0')}`).toString('base64');
      const transactionalContentMD5 = createHash('md5').update(body).digest();
      await run(
        (abortSignal) => blob.stageBlock(id, body, body.byteLength, { transactionalContentMD5, abortSignal }),
        body.byteLength,
      );
      return id;
    },
    completeUpload: async (_upload, { receipts, digests }, condition) => {
      // Azure stores the MD5 of the whole file but does not check it.
      const options = {
        ...described(digests, { kinora_confirmed: 'parts' }),
        conditions: conditionsFor(condition),
      };
      await run((abortSignal) => blob.commitBlockList([...receipts], { ...options, abortSignal }));
      return ofParts;
    },
    // Azure removes uncommitted blocks after a week.
    abortUpload: async () => {},
  };
}

/** A pipeline that connects only to allowed addresses, follows no redirects and uses no proxy. */
function pipelineTo(url: URL, { allows, silenceMs = SILENCE_MS }: RequestLimits) {
  const host = bareHost(url);
  // Node does not look up a host that is already an IP address.
  if (isIP(host) !== 0 && !allows(host)) throw unreached(null, notAllowed(host), url.href);
  const lookup = onlyTo(allows);
  // The SDK uses a proxy only if no agent is set.
  const agent = impatient(
    url.protocol === 'https:' ? new HttpsAgent({ lookup }) : new HttpAgent({ lookup }),
    silenceMs,
  );
  // `agent` and `redirectOptions` are options of @azure/core-rest-pipeline, which newPipeline passes on.
  const options = { retryOptions: RETRIES, agent, redirectOptions: { maxRetries: 0 } };
  return newPipeline(new AnonymousCredential(), options);
}

/** Ends connections without progress, from their first packet. The SDK only limits the time of whole requests. */
function impatient<Kind extends HttpAgent>(agent: Kind, silenceMs: number): Kind {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = connect(...given) as Socket;
    return socket.setTimeout(silenceMs, () => socket.destroy(silent(silenceMs)));
  };
  return agent;
}

const ofFile = (md5: Uint8Array | undefined): Confirmed | null =>
  md5 === undefined ? null : { algorithm: 'MD5', of: 'file', value: Buffer.from(md5).toString('base64') };
const ofParts: Confirmed = { algorithm: 'MD5', of: 'parts', value: null };

/** Throws if the signature has expired. Its parameter `se` is the expiry ("Create a service SAS", table of fields). */
function requireCurrent(token: string, now: Date): void {
  const expiry = new URLSearchParams(token).get('se');
  if (expiry === null || !(Date.parse(expiry) <= now.getTime())) return;
  throw storageAccessDenied(
    `The shared access signature expired at ${new Date(expiry).toISOString()}: give the storage a new sas_token.`,
  );
}

const conditionsFor = (condition: Condition): BlobRequestConditions => ({
  ...(condition.is === 'absent' && { ifNoneMatch: '*' }),
  ...(condition.is === 'version' && { ifMatch: condition.version }),
});

/** Returns the status, the error code and the body of Azure's answer. The code is in a header, and for most methods also in the XML body. */
function answerIn(error: unknown) {
  if (!(error instanceof RestError)) return { statusCode: undefined, code: '', body: '' };
  const { statusCode, response, code = '' } = error;
  const body = response?.bodyAsText ?? '';
  return { statusCode, code: response?.headers.get('x-ms-error-code') ?? code, body };
}

/** Returns the error for an answer of Azure. Codes: "Common REST API error codes" and "Blob Storage error codes". */
function failureOf(error: RestError, location: string): Error {
  const { statusCode: status, code, body } = answerIn(error);
  if (status === undefined) return unreached(error.code ?? null, error.message, location);
  if (['ConditionNotMet', 'TargetConditionNotMet', 'BlobAlreadyExists'].includes(code)) {
    return new ConditionNotMet();
  }
  // Azure deletes uncommitted blocks after a week, or when another request writes the blob (Put Block and Put Blob, Remarks).
  if (code === 'InvalidBlockList') return new UploadRejected(`Azure says ${code}`);
  if (status === 404) return storageNotFound(`Azure has no such container (${code}): check blob_url.`);
  if (code === 'AuthenticationFailed' && /time frame|expir/i.test(body)) {
    return storageAccessDenied(
      'The shared access signature has expired or is not valid yet: give the storage a new sas_token.',
    );
  }
  if (status === 401 || code === 'AuthenticationFailed') {
    return storageAccessDenied(
      'Azure does not accept the shared access signature: copy all of it from the portal, and check that it is for this container.',
    );
  }
  if (status === 403) {
    return storageAccessDenied(
      `Azure refuses the shared access signature (${code}): it needs the permissions create and write, and read so that Kinora can recognize its own files. The firewall of the account must let Kinora in.`,
    );
  }
  // If an account exceeds its targets, Azure answers 503, Server Busy ("Scalability and performance targets").
  if (status === 429 || code === 'ServerBusy') {
    return providerThrottled(`Azure could not take the file: ${code || status}.`);
  }
  if (status === 408 || status >= 500 || code === 'Md5Mismatch') {
    return providerUnavailable(`Azure could not take the file: ${code || status}.`);
  }
  // The cause of other errors may be a lease, an immutability policy, a blob of another type, or a server that is not Azure.
  return storageAccessDenied(
    `Azure does not take the file (${code === '' ? `status ${status}` : code}): check blob_url, and the leases and policies of the container.`,
  );
}

/** Returns the error for a request without an answer. @param code Node's error code, such as ENOTFOUND, or REQUEST_SEND_ERROR */
function unreached(code: string | null, message: string, location: string): Error {
  const { host } = new URL(location);
  if (code === 'ENOTFOUND')
    return storageNotFound(`${host} has no address of the public internet: check blob_url.`);
  if (code === null || code === RestError.REQUEST_SEND_ERROR) {
    return storageAccessDenied(`blob_url cannot be reached: ${message}.`);
  }
  return providerUnavailable(`${host} did not answer (${code}).`);
}
