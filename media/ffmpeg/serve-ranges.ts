/**
 * Lets ffmpeg read an object in ranges, through an HTTP server on the loopback address. It serves only this object, under a random
 * path (RFC 9110 §14).
 *
 * Each answer contains only the bytes of one request to the source, and ffmpeg then requests the rest (`-reconnect`). Of a longer
 * answer, the kernel would buffer 4 MiB that ffmpeg may not need.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RangeSource } from '../../shared/media.ts';
import { Blocks } from './block-cache.ts';

/** The paths of ffmpeg and ffprobe, or their names if they are on the PATH. Requires ffmpeg 5.0 (2022) or later. Tested with 5.1 of Debian 12. */
export type MediaTools = { ffmpeg: string; ffprobe: string };

export interface OpenMedia {
  readonly address: string;
  readonly size: number;
  readonly bytes_read: number;
  /** Returns the bytes from `first` to `last`, inclusive, or to the end of the source. */
  read(first: number, last: number): Promise<Buffer>;
  /** Throws the error if reading the source failed. ffmpeg itself sees only an early end of the file. */
  requireWhole(): void;
}

/** Serves the source while `work` runs. @param signal aborts reading */
export async function withOpenMedia<T>(
  source: RangeSource,
  work: (media: OpenMedia) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const ended = new AbortController();
  const blocks = new Blocks(source, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    answer(blocks, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await work({
      address: `http://127.0.0.1:${port}${path}`,
      size: blocks.size,
      get bytes_read() {
        return blocks.bytesRead;
      },
      read: (first, last) => blocks.read(first, last),
      requireWhole: () => {
        if (blocks.failure !== undefined) throw blocks.failure;
      },
    });
  } finally {
    ended.abort();
    server.close();
    server.closeAllConnections();
  }
}

async function answer(blocks: Blocks, { method, headers }: IncomingMessage, response: ServerResponse) {
  const { size } = blocks;
  if (method !== 'GET' && method !== 'HEAD')
    return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const { first, last } = rangeOf(headers.range, size);
  if (first > last) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
  const common = { 'Content-Type': 'application/octet-stream', 'Accept-Ranges': 'bytes' };
  if (method === 'HEAD') return void response.writeHead(200, { ...common, 'Content-Length': size }).end();
  const bytes = (await blocks.from(first)).subarray(0, last - first + 1);
  response
    .writeHead(206, {
      ...common,
      'Content-Length': bytes.length,
      'Content-Range': `bytes ${first}-${first + bytes.length - 1}/${size}`,
    })
    .end(bytes);
}

/** Parses the range in ffmpeg's request: from one byte to another, or to the end. Without a header, the range is the whole object. */
function rangeOf(header: string | undefined, size: number): { first: number; last: number } {
  const [, from = '0', to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  return { first: Number(from), last: Math.min(to ? Number(to) : size - 1, size - 1) };
}
