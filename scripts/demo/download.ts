/** Downloads a presigned URL to a file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export async function save(url: string, path: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The storage answered ${answer.status}`);
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path));
}
