/**
 * Checks that the host of a request is this machine. A browser sends the name that it resolved. Without this check, a web page whose
 * name resolves to the loopback interface ("DNS rebinding") could read the answers, because the browser would treat them as answers of
 * the page's own origin.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';

/** RFC 6761 §6.3: `localhost` and all names below it mean the loopback interface, and cannot be registered. */
const OWN = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::\d{1,5})?$/i;

/** Whether the host is this machine. The port is not checked, so that a tunnel from another port works. Browsers always send a host. */
export const isOwnHost = (host: string | undefined): boolean => host !== undefined && OWN.test(host);

/** Refuses a request for another host. */
export function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ message: 'Forbidden' }));
}

/** Creates a server. `listener` gets only requests whose host is this machine. */
export const createOwnServer = (options: ServerOptions, listener: RequestListener): Server =>
  createServer(options, (request, response) =>
    isOwnHost(request.headers.host) ? listener(request, response) : refuseHost(request, response),
  );
