/**
 * Whether a request names this machine as its host. A browser sends the name that it resolved: a web page whose own name was
 * made to resolve to the loopback interface ("DNS rebinding") would else read our answers as those of its own origin.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';

/** RFC 6761 §6.3: `localhost` and all names below it are the loopback interface, and cannot be registered. */
const OWN = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::\d{1,5})?$/i;

/** The port is not compared, so that a tunnel from another port works. A request without a host comes from no browser of today. */
export const isOwnHost = (host: string | undefined): boolean => host !== undefined && OWN.test(host);

/** Answers in the place of a server that was asked under another name. */
export function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ message: 'Forbidden' }));
}

/** A server of which `listener` sees the requests that name this machine, and no others. */
export const createOwnServer = (options: ServerOptions, listener: RequestListener): Server =>
  createServer(options, (request, response) =>
    isOwnHost(request.headers.host) ? listener(request, response) : refuseHost(request, response),
  );
