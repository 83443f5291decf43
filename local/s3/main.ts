/** The S3 server as a process of its own: `node local/s3/main.ts <options.json>`. */

import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { S3Options } from './options.ts';

const path = process.argv[2];
if (path === undefined) {
  console.error('usage: node local/s3/main.ts <options.json>');
  process.exit(2);
}

// Each 64 KiB of a body is a new buffer. If the young generation may grow, V8 collects only after some 50 MB. It would
// already grow while the server is loaded, so the server is loaded after this line.
setFlagsFromString('--semi-space-growth-factor=1');
const { startS3 } = await import('./server.ts');

const options = JSON.parse(await readFile(path, 'utf8')) as S3Options;
const server = await startS3(options);
// The parent may send the signal as soon as it reads the line below.
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
console.log(JSON.stringify({ ready: true, url: server.url }));
