/** The S3 server as a process of its own: `node local/s3/main.ts <options.json>`. */

import { readFile } from 'node:fs/promises';
import type { S3Options } from './options.ts';
import { startS3 } from './server.ts';

const path = process.argv[2];
if (path === undefined) {
  console.error('usage: node local/s3/main.ts <options.json>');
  process.exit(2);
}
const options = JSON.parse(await readFile(path, 'utf8')) as S3Options;
const server = await startS3(options);
console.log(JSON.stringify({ ready: true, url: server.url }));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
