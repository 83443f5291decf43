/** HTTP/1.1 over a bare socket: what is asked goes over the wire as it is written, with no clean-up of paths. */
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { type EdgeOptions, startEdge } from '../../../local/edge/index.ts';

export interface RawRequest {
  readonly method?: string;
  /** Request target, byte for byte (latin1). */
  readonly target: string;
  readonly host?: string;
  /** Lines in order; a name may come several times. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export interface RawResponse {
  readonly status: number;
  /** Lower-case names; lines of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came, without its content coding. */
  readonly body: Buffer;
  readonly text: string;
  /** Bytes of the body on the wire. */
  readonly sent: number;
}

/** The headers that two answers to the same question share. */
export const withoutDate = ({ headers: { date: _, ...headers } }: RawResponse) => headers;

export type Ask = (request: RawRequest) => Promise<RawResponse>;

/** Serves a site. Stops after the tests of the file, or at the end of `until`. */
export async function served(
  { siteDir, host, ...more }: Omit<EdgeOptions, 'port'> & { readonly host: string },
  until: (close: () => Promise<void>) => void = afterAll,
): Promise<Ask> {
  const edge = await startEdge({ siteDir, port: 0, ...more });
  until(() => edge.close());
  return rawClient(edge.url, host);
}

export function rawClient(url: string, host: string): Ask {
  const { hostname, port } = new URL(url);
  return async ({ method = 'GET', target, host: other = host, headers = [] }) => {
    const lines = [
      `${method} ${target} HTTP/1.1`,
      `Host: ${other}`,
      'Connection: close',
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    const bytes = await exchange(hostname, Number(port), `${lines.join('\r\n')}\r\n\r\n`);
    return read(bytes);
  };
}

function exchange(host: string, port: number, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, host, () => socket.write(Buffer.from(request, 'latin1')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks)));
    socket.on('error', reject);
  });
}

function read(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const rest = bytes.subarray(end + 4);
  const body = decoded(headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest, headers);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body,
    text: body.toString('utf8'),
    sent: rest.length,
  };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (!size) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function decoded(body: Buffer, headers: RawResponse['headers']): Buffer {
  if (body.length === 0) return body;
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
