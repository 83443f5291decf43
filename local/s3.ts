/** Starts the S3 server as a child process, with the buckets of the template. */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';
import type { ProcessRecords } from './processes.ts';
import type { S3Options } from './s3/options.ts';
import { writeJson } from './state.ts';

export type S3 = { url: string; exited: Promise<string>; stop(): Promise<void> };

const program = fileURLToPath(new URL('s3/main.ts', import.meta.url));

/** Starts the server. Resolves when it answers. The server reads its options from `optionsFile`. */
export async function startS3Process(
  options: S3Options,
  { optionsFile, logFile, records }: { optionsFile: string; logFile: string; records: ProcessRecords },
): Promise<S3> {
  writeJson(optionsFile, options);
  const child = startChild({
    what: 'S3',
    command: process.execPath,
    args: [program, optionsFile],
    logFile,
    readsOutput: true,
    records,
  });
  const ready = await Promise.race([firstLine(child), child.exited]);
  const url = urlIn(ready);
  if (!url) throw new Error(`S3 did not start (${ready}); see ${logFile}`);
  return { url, exited: child.exited, stop: () => child.stop() };
}

/** Reads the first line of the server's stdout: `{"ready":true,"url":…}`. Other messages are on stderr, which is the log. */
async function firstLine(child: Child): Promise<string> {
  const output = child.process.stdout;
  if (!output) throw new Error('the output of S3 is not read');
  for await (const line of createInterface({ input: output })) return line;
  return child.exited;
}

function urlIn(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { url?: string }).url;
  } catch {
    return undefined;
  }
}
