/** Writes the output of each function to a separate file, `<Function>.log`, without delay. */
import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export type FunctionLogs = {
  write(functionName: string, chunk: Buffer): void;
  /** Resolves when all output is on disk. */
  close(): Promise<void>;
};

/** The size from which a log is renamed to `<Function>.log.1` when the local cloud starts, bytes. */
const ROTATE_BYTES = 10 * 1024 * 1024;

export function functionLogs(directory: string): FunctionLogs {
  mkdirSync(directory, { recursive: true });
  const streams = new Map<string, WriteStream>();

  function streamOf(functionName: string): WriteStream {
    const known = streams.get(functionName);
    if (known) return known;
    const path = join(directory, `${functionName}.log`);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > ROTATE_BYTES) renameSync(path, `${path}.1`);
    const stream = createWriteStream(path, { flags: 'a' });
    streams.set(functionName, stream);
    return stream;
  }

  return {
    write: (functionName, chunk) => void streamOf(functionName).write(chunk),
    close: async () => {
      const ends = [...streams.values()].map((stream) => new Promise<void>((resolve) => stream.end(resolve)));
      await Promise.all(ends);
      streams.clear();
    },
  };
}
