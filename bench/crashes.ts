/**
 * Tests whether every state machine recovers from failures. The method is in test/crashes.
 *
 *     npm run bench -- crashes
 *     RUNS=200 SEED=7 ONLY=translation,clips npm run bench -- crashes
 */
import { campaign, type Ran } from '../test/crashes/campaign.ts';
import { acts } from '../test/crashes/faults.ts';
import type { Report } from './report.ts';

const BAR = 30;

export async function run(): Promise<Report> {
  const { RUNS = '1000', SEED = '1', ONLY } = process.env;
  const [runs, seed] = [Number(RUNS), Number(SEED)];
  const restore = silence();
  try {
    const ran = (one: Ran, at: number) => {
      const done = '█'.repeat(Math.round((at / runs) * BAR)).padEnd(BAR, '░');
      for (const violation of one.violations) process.stderr.write(`\r\x1b[K${one.name}: ${violation}\n`);
      process.stderr.write(`\r\x1b[K${done} ${at}/${runs} ${one.name}`);
    };
    const results = await campaign({ runs, seed, ran, ...(ONLY && { only: ONLY.split(',') }) });
    process.stderr.write('\r\x1b[K');
    const broken = results.filter(({ violations }) => violations.length > 0);
    const names = [...new Set(results.map(({ case: { scenario } }) => scenario.name))];
    const actOf = ({ case: { faults } }: Ran) => faults.at(-1)!.act;
    const cell = (all: readonly Ran[]) => {
      const bad = all.filter(({ violations }) => violations.length > 0).length;
      return all.length === 0 ? '–' : `${all.length} / ${bad}`;
    };
    const row = (name: string, all: readonly Ran[]) => ({
      name,
      values: [cell(all), ...acts.map((act) => cell(all.filter((one) => actOf(one) === act)))],
    });
    const missed = results.filter(({ struck }) => !struck).length;
    return {
      title: 'Machines that crash',
      method:
        `${runs} runs of seed ${seed}: each asks for what the row says, of the real steps over DynamoDB (dynoxide), S3 and the executor of the ` +
        'local cloud, in one process, and has one or two failures at a step, at one of its writes to tables, bucket or machines, or at the ' +
        'request. When nothing works any more and the sweep has come by, tables and buckets are compared with those of a run that nothing ' +
        `disturbed. Runs / runs that broke a rule, by the last failure. In ${missed} a failure was drawn for a step that was not reached.`,
      columns: ['all', ...acts],
      rows: [
        ...names.map((name) =>
          row(
            name,
            results.filter(({ case: { scenario } }) => scenario.name === name),
          ),
        ),
        row('all', results),
      ],
      void: broken.length === 0 ? null : `${broken.length} runs broke a rule.`,
    };
  } finally {
    restore();
  }
}

/** Suppresses the log line of each step. */
function silence(): () => void {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  return () => {
    process.stdout.write = write;
  };
}
