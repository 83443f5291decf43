/** Ingests a thousand files of odd shape. Each must become ready with the right facts, or be rejected with the reason. */
import { tried } from '../test/media/ffmpeg/odd-files.ts';
import { inFolder } from './kit.ts';
import type { Report } from './report.ts';

const SEEDS = 1000;
const AT_ONCE = 2;
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };

type Counts = { files: number; ready: number; refused: number; wrong: number };

export const run = (): Promise<Report> => inFolder(measured);

async function measured(folder: string): Promise<Report> {
  const counts = new Map<string, Counts>();
  const faulty: string[] = [];
  const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1).values();
  const work = async () => {
    for (const seed of seeds) {
      const { plan, outcome, faults } = await tried(seed, tools, folder);
      const kind = plan.damage ?? 'not damaged';
      const count = counts.get(kind) ?? { files: 0, ready: 0, refused: 0, wrong: 0 };
      count.files += 1;
      count[outcome.status] += 1;
      if (faults.length > 0) count.wrong += 1;
      if (faults.length > 0) faulty.push(`seed ${seed} (${plan.container}): ${faults.join('; ')}`);
      counts.set(kind, count);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const fault of faulty) process.stderr.write(`${fault}\n`);
  return {
    title: 'Files of odd shape',
    method:
      `${SEEDS} files that ffmpeg made by seed: 21 containers with the codecs that they take, rotation, variable frame ` +
      'rates, sound that starts late, several tracks, titles of 2,000 characters, covers, fragments, odd sizes; a third of ' +
      'them damaged afterwards. Wrong is a fact that differs from the request, a rejection of a file that was not ' +
      'damaged or only has a wrong duration, and any failure that is not reported as a fault of the media.',
    columns: ['files', 'ready', 'refused', 'wrong'],
    rows: [...counts]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, { files, ready, refused, wrong }]) => ({ name, values: [files, ready, refused, wrong] })),
    void: null,
  };
}
