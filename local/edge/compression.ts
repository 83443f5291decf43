/** Compresses answers as CloudFront does with "Compress objects automatically" (developer guide, "Serve compressed files"). */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Answer, fieldOf, type Headers } from './message.ts';

/** The content types of a site that CloudFront compresses. Its list does not contain Markdown, problem+json and linkset+json. */
const compressible = new Set([
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/xml',
  'font/ttf',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
  'text/xml',
]);
/** The minimum and maximum size of an object that CloudFront compresses. */
const SMALLEST_BYTES = 1_000;
const LARGEST_BYTES = 10_000_000;

const compressed = new Map<string, Buffer>();

/** Compresses the answer with Brotli, or else with gzip, if the viewer accepts it. The ETag of a compressed answer is weak. */
export function compress(answer: Answer, request: Headers): Answer {
  const coding = codingOf(fieldOf(request, 'accept-encoding') ?? '');
  if (coding === undefined || !isCompressible(answer)) return answer;
  const { 'content-length': _, etag = [], ...headers } = answer.headers;
  const key = `${coding} ${etag[0]}`;
  const body = compressed.get(key) ?? coders[coding](answer.body);
  compressed.set(key, body);
  return {
    status: answer.status,
    headers: {
      ...headers,
      etag: etag.map((tag) => `W/${tag}`),
      'content-encoding': [coding],
      'content-length': [String(body.length)],
      vary: ['Accept-Encoding'],
    },
    body,
  };
}

const coders = {
  br: (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => gzipSync(body),
};

function codingOf(field: string): keyof typeof coders | undefined {
  const takes = (name: string) =>
    field.split(',').some((element) => {
      const [coding = '', weight = ''] = element.split(';').map((part) => part.trim().toLowerCase());
      return coding === name && !/^q=0(\.0*)?$/.test(weight);
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : undefined;
}

function isCompressible({ status, headers, body }: Answer): boolean {
  const type = (headers['content-type']?.[0] ?? '').split(';')[0]!.trim();
  const fits = body.length >= SMALLEST_BYTES && body.length <= LARGEST_BYTES;
  return status === 200 && headers['content-encoding'] === undefined && compressible.has(type) && fits;
}
