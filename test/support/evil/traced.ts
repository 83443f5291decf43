/** Traces with strace which files and addresses programs open, if strace is installed and permitted. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, constants, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { MediaTools } from '../../../media/ffmpeg/serve-ranges.ts';

const STRACE = '/usr/bin/strace';
/** Libraries, their settings, and the kernel's facts about the machine. */
const isOfTheSystem = /^(?:\/lib|\/usr|\/proc|\/sys|\/dev|\/etc\/(?!passwd)|\/opt\/homebrew)/;

export const canTrace = (): boolean => spawnSync(STRACE, ['-qq', '-o', '/dev/null', 'true']).status === 0;

/**
 * The same programs, traced. `seen` returns the files opened outside of the system since its last call, and the ports
 * that received data.
 */
export function traced(folder: string, { ffmpeg, ffprobe }: MediaTools) {
  // A pipe, because the size of the programs' files is limited.
  const pipe = join(folder, 'trace');
  execFileSync('mkfifo', [pipe]);
  const reading = new Socket({ fd: openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK) });
  let trace = '';
  reading.on('data', (piece) => {
    trace += String(piece);
  });
  const watched = (program: string) => {
    const path = join(folder, `traced-${program.split('/').at(-1)}`);
    const calls = 'open,openat,connect,sendto,execve';
    writeFileSync(
      path,
      `#!/bin/sh\nexec ${STRACE} -f -qq -s 4096 -e trace=${calls} -o '${pipe}' ${program} "$@"\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  return {
    tools: { ffmpeg: watched(ffmpeg), ffprobe: watched(ffprobe) },
    seen: () => {
      const lines = trace.split('\n').filter((line) => !line.includes('ENOENT'));
      trace = '';
      const opened = lines.flatMap((line) => /open(?:at)?\(.*?"([^"]*)"/.exec(line)?.[1] ?? []);
      const called = lines.flatMap((line) => /connect\(\d+, (\{.*?\})/.exec(line)?.[1] ?? []);
      return {
        opened: opened.filter((path) => !isOfTheSystem.test(path)),
        ports: called.map((address) => Number(/htons\((\d+)\)/.exec(address)?.[1] ?? 0)),
      };
    },
    close: () => void reading.destroy(),
  };
}
