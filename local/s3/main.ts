/** The S3 server as a process of its own: `node local/s3/main.ts <options.json>`. */

import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { S3Options } from './options.ts';

const path = process.argv[2];
if (path === undefined) {
  console.error('usage: node local/s3/main.ts <options.json>');
  process.exit(2);
}

// Every 64 KiB that arrive are a new buffer. In a young generation that may grow, V8 lets some 50 MB of them pile
// up before it collects; loading the server would already make it grow, so that comes after.
setFlagsFromString('--semi-space-growth-factor=1');
const { startS3 } = await import('./server.ts');

const options = JSON.parse(await readFile(path, 'utf8')) as S3Options;
const server = await startS3(options);
// The parent may send the signal as soon as it reads the line below.
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
console.log(JSON.stringify({ ready: true, url: server.url }));
