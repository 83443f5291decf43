/**
 * The parts of Google Cloud Storage's JSON API, and of Google's OAuth token endpoint, that an export uses. It is as
 * strict as their documentation: https://docs.cloud.google.com/storage/docs/performing-resumable-uploads and
 * https://docs.cloud.google.com/storage/docs/uploading-objects#rest-upload-objects. For tokens:
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
import { createHash, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from './listening.ts';

interface About {
  readonly name: string;
  readonly contentType?: string;
  readonly md5Hash?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface GcsObject extends About {
  readonly generation: string;
  readonly size: string;
  readonly bytes: Buffer;
}

interface Session {
  readonly about: About;
  readonly ifGenerationMatch: string | null;
  readonly size: number;
  received: Buffer;
  readonly isSpoilt: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const scopes = ['devstorage.read_write', 'devstorage.full_control', 'cloud-platform'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);
/** The size of every chunk except the last is a multiple of this. */
const CHUNK_BYTES = 256 * 1024;
const bucketPath = '/storage/v1/b/archive/o';

/** Has the bucket `archive`, and a service account with these `permissions`. */
export async function startGcs() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client_email = 'kinora@project.iam.gserviceaccount.com';
  const objects = new Map<string, GcsObject>();
  const sessions = new Map<string, Session>();
  const tokens = new Set<string>();
  const permissions = new Set(['storage.objects.create', 'storage.objects.get', 'storage.objects.delete']);
  const requests: string[] = [];
  const faults = {
    keepsOnly: null as number | null,
    corrupts: false,
    answers: null as number | null,
    /** Changes the first bytes of this many started sessions. */
    spoils: 0,
  };
  let generation = 1_700_000_000_000_000;
  let origin = '';

  const requirePermission = (permission: string) => {
    if (permissions.has(permission)) return;
    throw new Refusal(
      403,
      `${client_email} does not have ${permission} access to the Google Cloud Storage object.`,
    );
  };

  const place = (about: About, bytes: Buffer, ifGenerationMatch: string | null): Answer => {
    const current = objects.get(about.name);
    const isHeld = ifGenerationMatch === null || ifGenerationMatch === (current?.generation ?? '0');
    if (!isHeld) throw new Refusal(412, 'At least one of the pre-conditions you specified did not hold.');
    requirePermission('storage.objects.create');
    if (current !== undefined) requirePermission('storage.objects.delete');
    const kept = faults.corrupts ? Buffer.alloc(bytes.length) : bytes;
    const md5Hash = createHash('md5').update(kept).digest('base64');
    if (about.md5Hash !== undefined && about.md5Hash !== md5Hash && !faults.corrupts)
      throw new Refusal(400, `Provided MD5 hash "${about.md5Hash}" doesn't match calculated MD5 hash.`);
    generation += 1;
    const object = { ...about, md5Hash, generation: String(generation), size: String(bytes.length) };
    objects.set(about.name, { ...object, bytes: kept });
    return { status: 200, body: { kind: 'storage#object', bucket: 'archive', ...object } };
  };

  const tokenFor = (body: string): Answer => {
    const form = new URLSearchParams(body);
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    const { alg, typ } = read(header);
    const { iss, scope, aud, iat, exp } = read(claims);
    const signed = Buffer.from(`${header}.${claims}`);
    const now = Date.now() / 1000;
    const isSound =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      alg === 'RS256' &&
      typ === 'JWT' &&
      iss === client_email &&
      aud === `${origin}/token` &&
      verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url')) &&
      scopes.includes(scope) &&
      iat <= now + 60 &&
      exp > now &&
      exp - iat <= 3600;
    if (!isSound) return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT.' } };
    const access_token = `ya29.${randomUUID()}`;
    tokens.add(access_token);
    return { status: 200, body: { access_token, expires_in: 3599, token_type: 'Bearer' } };
  };

  const begun = (request: IncomingMessage, body: Buffer, url: URL): Answer => {
    requirePermission('storage.objects.create');
    const id = randomUUID();
    sessions.set(id, {
      about: JSON.parse(body.toString('utf8')) as About,
      ifGenerationMatch: url.searchParams.get('ifGenerationMatch'),
      size: Number(request.headers['x-upload-content-length']),
      received: Buffer.alloc(0),
      isSpoilt: faults.spoils > 0,
    });
    faults.spoils = Math.max(0, faults.spoils - 1);
    const location = `${origin}/upload${bucketPath}?uploadType=resumable&upload_id=${id}`;
    return { status: 200, headers: { location } };
  };

  const continued = (request: IncomingMessage, body: Buffer, id: string): Answer => {
    const session = sessions.get(id);
    if (session === undefined) throw new Refusal(404, 'The upload id is not known.');
    if (request.method === 'DELETE') {
      sessions.delete(id);
      return { status: 499 };
    }
    const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(request.headers['content-range'] ?? '');
    if (range === null || Number(range[3]) !== session.size) throw new Refusal(400, 'Invalid Content-Range.');
    const before = session.received;
    if (range[1] !== undefined) {
      const [first, last] = [Number(range[1]), Number(range[2])];
      const isLast = last + 1 === session.size;
      if (last - first + 1 !== body.length) throw new Refusal(400, 'Content-Range is not of the body.');
      if (!isLast && body.length % CHUNK_BYTES !== 0)
        throw new Refusal(400, 'The chunk is no multiple of 256 KiB.');
      if (first > session.received.length) throw new Refusal(503, 'The offset is beyond what is there.');
      const fresh = body.subarray(session.received.length - first);
      const kept = faults.keepsOnly === null ? fresh : fresh.subarray(0, faults.keepsOnly);
      faults.keepsOnly = null;
      session.received = Buffer.concat([session.received, kept]);
      if (session.isSpoilt) session.received[0] = 0;
    }
    if (session.received.length === session.size) {
      // A rejected chunk leaves the session unchanged.
      const { received } = session;
      session.received = before;
      const placed = place(session.about, received, session.ifGenerationMatch);
      sessions.delete(id);
      return placed;
    }
    const end = session.received.length - 1;
    return { status: 308, headers: end < 0 ? {} : { range: `bytes=0-${end}` } };
  };

  const inserted = (request: IncomingMessage, body: Buffer, url: URL): Answer => {
    const boundary = /^multipart\/related; boundary=([\w-]+)$/.exec(
      request.headers['content-type'] ?? '',
    )?.[1];
    const [, about, media] = body.toString('latin1').split(`--${boundary}`);
    if (boundary === undefined || about === undefined || media === undefined)
      throw new Refusal(400, 'Malformed multipart body.');
    const contentOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4, -2);
    const described = JSON.parse(Buffer.from(contentOf(about), 'latin1').toString('utf8')) as About;
    return place(
      described,
      Buffer.from(contentOf(media), 'latin1'),
      url.searchParams.get('ifGenerationMatch'),
    );
  };

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', origin);
    const body = await buffer(request);
    if (url.pathname === '/token') return tokenFor(body.toString('utf8'));
    if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
      throw new Refusal(401, 'Invalid Credentials');
    if (faults.answers !== null) throw new Refusal(faults.answers, 'A bad moment.');
    const session = url.searchParams.get('upload_id');
    if (session !== null) return continued(request, body, session);
    if (url.pathname === `/upload${bucketPath}` && request.method === 'POST') {
      return url.searchParams.get('uploadType') === 'resumable'
        ? begun(request, body, url)
        : inserted(request, body, url);
    }
    if (url.pathname.startsWith(`${bucketPath}/`) && request.method === 'GET') {
      requirePermission('storage.objects.get');
      const found = objects.get(decodeURIComponent(url.pathname.slice(bucketPath.length + 1)));
      if (found === undefined) throw new Refusal(404, 'No such object');
      const { bytes: _, ...shown } = found;
      return { status: 200, body: shown };
    }
    throw new Refusal(404, 'The specified bucket does not exist.');
  };

  const { url, close } = await listening((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    answerTo(request).then(
      ({ status, headers = {}, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? '' : JSON.stringify(body));
      },
      (error: unknown) => {
        const { status = 500, message } = error as Refusal;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            error: { code: status, message, errors: [{ message, domain: 'global', reason: 'invalid' }] },
          }),
        );
      },
    );
  });
  origin = url;
  return {
    origin,
    objects,
    permissions,
    requests,
    faults,
    /** The key file of the service account, as Google issues it. */
    credentials: {
      type: 'service_account',
      project_id: 'project',
      private_key_id: 'key-1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      client_email,
      token_uri: `${origin}/token`,
    },
    close,
  };
}

export type Gcs = Awaited<ReturnType<typeof startGcs>>;
