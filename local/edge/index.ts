/** An emulator of CloudFront. It applies CloudFront's rules, and runs the same code of the site's functions that is deployed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type HeldPort, listen } from '../listen.ts';
import { type BuiltSite, watchSite } from './built-site.ts';
import { type Distribution, openDistribution, type ResponseUri } from './distribution.ts';
import { type Answer, type Headers, headersOf, noHeaders, type ViewerRequest } from './message.ts';

export interface EdgeOptions {
  /** `build/site/<env>`, or a function that builds the site at the first request. If the build fails, the next request tries again. */
  readonly siteDir: string | (() => Promise<string>);
  readonly port: number | HeldPort;
  /** Default: `rewritten`. */
  readonly responseUri?: ResponseUri;
}

export interface Edge {
  readonly url: string;
  close(): Promise<void>;
}

/** The maximum length of a URL for CloudFront, bytes. */
const LONGEST_URL = 8_192;

/** Listens on the loopback interface. If the host of a request is the server's own address, replaces it by the host of the site. */
export async function startEdge({ siteDir, port, responseUri = 'rewritten' }: EdgeOptions): Promise<Edge> {
  const open =
    typeof siteDir === 'string' ? opened(watchSite(siteDir)) : onceOf(async () => watchSite(await siteDir()));
  const distributionOf = memoized((built: BuiltSite) => openDistribution(built, responseUri));
  const server = createServer({ maxHeaderSize: 32_768 }, async (request, response) => {
    request.resume();
    send(response, request.method === 'HEAD', await respondOrFail(request));
  });
  const respondOrFail = async (request: IncomingMessage): Promise<Answer> => {
    try {
      const site = await open();
      return await respond(site(), distributionOf, request, `:${listening.port}`);
    } catch (error) {
      // The site cannot be built, a build is replacing its files, or this emulator has a bug.
      console.error('edge: no answer', error);
      return refused(503);
    }
  };
  const listening = await listen(server, port);
  return { url: listening.url, close: () => listening.close() };
}

type Watched = () => BuiltSite;

/** Reads the site. Throws if the folder contains no site. */
function opened(site: Watched): () => Promise<Watched> {
  site();
  return async () => site;
}

/** Caches the first successful result. A failure is not cached, so the next call tries again. */
function onceOf<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function respond(
  site: BuiltSite,
  distributionOf: (site: BuiltSite) => Distribution,
  request: IncomingMessage,
  ownPort: string,
): Promise<Answer> {
  const target = request.url ?? '';
  if (target.length > LONGEST_URL) return refused(414);
  const viewer = viewerRequest(request, target.replace(/^https?:\/\/[^/?]*/i, ''));
  if (!viewer.uri.startsWith('/')) return refused(400);
  const host = viewer.headers.host?.[0] ?? '';
  if (isOwnAddress(host, ownPort)) viewer.headers.host = [site.host];
  return distributionOf(site).answer(viewer);
}

/** Returns the request in the form that functions get. Bytes outside ASCII are percent-encoded. */
function viewerRequest({ method = '', rawHeaders }: IncomingMessage, target: string): ViewerRequest {
  const encoded = Buffer.from(target, 'latin1')
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  const mark = encoded.indexOf('?');
  return {
    method,
    uri: mark < 0 ? encoded : encoded.slice(0, mark),
    query: mark < 0 ? undefined : encoded.slice(mark + 1),
    headers: linesOf(rawHeaders),
  };
}

/** The headers that belong to the connection. Functions do not get them. */
const hopByHop = new Set(['connection', 'expect', 'keep-alive', 'trailer', 'upgrade']);

function linesOf(rawHeaders: readonly string[]): Headers {
  const headers = noHeaders();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (hopByHop.has(name) || name.startsWith('proxy-')) continue;
    headers[name] = [...(headers[name] ?? []), rawHeaders[index + 1]!];
  }
  return headers;
}

const isOwnAddress = (host: string, ownPort: string) =>
  ['127.0.0.1', 'localhost', '[::1]'].some((name) => host.toLowerCase() === name + ownPort);

const refused = (status: number): Answer => ({
  status,
  headers: headersOf({ 'content-type': 'text/html', 'content-length': '0', server: 'CloudFront' }),
  body: Buffer.alloc(0),
});

function send(response: ServerResponse, isHead: boolean, { status, headers, body }: Answer): void {
  response.writeHead(
    status,
    Object.entries(headers).flatMap(([name, lines]) => lines.flatMap((line) => [name, line])),
  );
  response.end(isHead ? undefined : body);
}

/** Caches the result for each key. With this, the functions of a build are loaded only once. */
function memoized<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
