/** Runs the S3 server as a separate process: `node local/s3/main.ts <options.json>`. */
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { S3Options } from './options.ts';

const path = process.argv[2];
if (path === undefined) {
  console.error('usage: node local/s3/main.ts <options.json>');
  process.exit(2);
}

// Each 64 KiB of a body need a new buffer. If the young generation may grow, V8 collects these buffers only after about 50 MB. The
// server is loaded after this line, because the young generation also grows during the load.
setFlagsFromString('--semi-space-growth-factor=1');
const { startS3 } = await import('./server.ts');

const options = JSON.parse(await readFile(path, 'utf8')) as S3Options;
const server = await startS3(options);
// The handler is set before the output is written: the parent may send the signal as soon as it reads the line below.
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
console.log(JSON.stringify({ ready: true, url: server.url }));
