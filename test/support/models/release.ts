/**
 * A file server that behaves like GitHub's releases, with redirects to another host and ranges. It can fail on
 * request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from '../listening.ts';

export type Release = Awaited<ReturnType<typeof serveRelease>>;

export async function serveRelease(files: Record<string, Buffer>) {
  /** The byte ranges that were sent of each file, in order. */
  const sent: { path: string; from: number; bytes: number; status: number }[] = [];
  const behaviour = {
    /** Closes the connection after this many bytes of an answer. */
    cutAfter: Number.POSITIVE_INFINITY,
    /** Waits this long after each 16 kB. */
    pauseMs: 0,
    hasRanges: true,
  };

  const storage = await listening((request, response) => void send(request, response));
  const front = await listening((request, response) => {
    response.writeHead(302, { location: `${storage.url}${request.url}` }).end();
  });

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice(1);
    const file = files[path];
    if (file === undefined) {
      response.writeHead(404).end('no such file');
      return;
    }
    const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
    const from = asked && behaviour.hasRanges ? Number(asked[1]) : 0;
    if (from >= file.length && from > 0) {
      response.writeHead(416).end();
      return;
    }
    const status = from > 0 ? 206 : 200;
    const body = file.subarray(from);
    const record = { path, from, bytes: 0, status };
    sent.push(record);
    response.writeHead(status, {
      'content-length': body.length,
      ...(status === 206 && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
    });
    for (let at = 0; at < body.length; at += 16_384) {
      // Sent data still arrives, as after a break far away in the network.
      if (at >= behaviour.cutAfter) return void response.socket?.end();
      const chunk = body.subarray(at, at + 16_384);
      record.bytes += chunk.length;
      await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
      if (behaviour.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.pauseMs));
      if (response.destroyed) return;
    }
    response.end();
  }

  return {
    files,
    sent,
    behaviour,
    url: (path: string) => `${front.url}/${path}`,
    close: () => {
      for (const server of [storage, front]) void server.close();
    },
  };
}
