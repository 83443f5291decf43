/**
 * Runs all hostile files through every step that opens media. Reports for each file: the result, the cost, and the
 * files and addresses that the step reached.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localFaces } from '../engines/faces/face-api.ts';
import { textByTesseract } from '../engines/ocr/tesseract.ts';
import { defined } from '../shared/checked-access.ts';
import { canaryText, ended, faultsOf, steps, trap } from '../test/media/ffmpeg/evil-files.ts';
import { wav } from '../test/support/evil/sounds.ts';
import { canTrace, traced } from '../test/support/evil/traced.ts';
import { evilFiles } from '../test/support/evil-files.ts';
import { inFolder } from './kit.ts';
import type { Report } from './report.ts';

const programs = { ffmpeg: '/usr/bin/ffmpeg', ffprobe: '/usr/bin/ffprobe' };
const refusals = { media_unreadable: 'unreadable', media_limit_exceeded: 'too much' } as const;

export const run = (): Promise<Report> => inFolder(measured);

async function measured(folder: string): Promise<Report> {
  const canary = join(folder, 'canary.wav');
  writeFileSync(canary, Buffer.concat([wav({ data: Buffer.alloc(7 * 16_000) }), Buffer.from(canaryText)]));
  const track = join(folder, 'track.m4a');
  execFileSync(programs.ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', track]);
  const caught = await trap();
  const watch = canTrace() ? traced(folder, programs) : null;
  const engines = { faces: localFaces(), ocr: textByTesseract() };
  const names = Object.keys(steps);
  const counts = new Map(names.map((name) => [name, { ...none }]));
  const files = evilFiles({ trap: caught.address, canary });
  for (const evil of files) {
    const all: Awaited<ReturnType<typeof ended>> = {};
    for (const name of names) {
      const count = defined(counts.get(name));
      const ports = new Set<number>();
      const [began, calls] = [performance.now(), caught.calls()];
      const tools = watch?.tools ?? programs;
      const tried = name === 'ProbeMedia' ? [name] : ['ProbeMedia', name];
      const ending = defined((await ended(evil, tried, { tools, folder, track, ports, engines }))[name]);
      all[name] = ending;
      count.slowest = Math.max(count.slowest, (performance.now() - began) / 1000);
      count['code' in ending ? (refusals[ending.code as keyof typeof refusals] ?? 'wrong') : 'accepted'] += 1;
      const { opened, ports: called } = watch?.seen() ?? { opened: [], ports: [] };
      const others = [
        ...opened.filter((path) => path !== track && !own.test(path)),
        ...called.filter((port) => !ports.has(port)),
      ];
      if (others.length === 0 && caught.calls() === calls) continue;
      count.reached += 1;
      process.stderr.write(`${evil.name}, ${name}: reached ${others.join(' ')}\n`);
    }
    for (const fault of faultsOf(evil, all)) process.stderr.write(`${evil.name}: ${fault}\n`);
    if (faultsOf(evil, all).length > 0) defined(counts.get('ProbeMedia')).wrong += 1;
  }
  caught.close();
  watch?.close();
  return {
    title: 'Files that mean harm',
    method:
      `${files.length} files made by code, each at every step that opens media: playlists and scripts that are called media, references to ` +
      'other files and addresses, lies about times, tables, rates and sizes, bombs, tags, and what is left of files that were cut. Wrong is ' +
      'what ends as anything but `media_unreadable` or `media_limit_exceeded`, or is accepted with other facts than it has; reached is what opened another ' +
      `file or called anybody${watch === null ? ', as far as a trap on the loopback tells' : ', by strace, which also makes it slow'}. Slowest: the longest step in seconds.`,
    columns: Object.keys(none),
    rows: [...counts].map(([name, count]) => ({
      name,
      values: Object.values({ ...count, slowest: Math.round(count.slowest * 10) / 10 }),
    })),
    void: null,
  };
}

const none = { accepted: 0, unreadable: 0, 'too much': 0, wrong: 0, reached: 0, slowest: 0 };
/** Matches the names of the files that the steps themselves write. */
const own = /\/(?:normal|muxed|sound\.flac|speech\.flac|clip-[^/]+\/(?:chunk-0|sound)\.mp4)$/;
