/**
 * Tests whether every state machine recovers from failures. The method is in test/crashes.
 *
 *     npm run bench -- crashes
 *     RUNS=200 SEED=7 ONLY=translation,clips npm run bench -- crashes
 */

import { lastOf } from '../shared/checked-access.ts';
import { campaign, type Ran } from '../test/crashes/campaign.ts';
import { acts } from '../test/crashes/faults.ts';
import { withoutLogLines } from './kit.ts';
import type { Report } from './report.ts';

const BAR = 30;

export async function run(): Promise<Report> {
  const { RUNS = '1000', SEED = '1', ONLY } = process.env;
  const [runs, seed] = [Number(RUNS), Number(SEED)];
  return withoutLogLines(async () => {
    const ran = (one: Ran, at: number) => {
      const done = '█'.repeat(Math.round((at / runs) * BAR)).padEnd(BAR, '░');
      for (const violation of one.violations) process.stderr.write(`\r\x1b[K${one.name}: ${violation}\n`);
      process.stderr.write(`\r\x1b[K${done} ${at}/${runs} ${one.name}`);
    };
    const results = await campaign({ runs, seed, ran, ...(ONLY && { only: ONLY.split(',') }) });
    process.stderr.write('\r\x1b[K');
    const broken = results.filter(({ violations }) => violations.length > 0);
    const groups = [...Map.groupBy(results, ({ case: { scenario } }) => scenario.name)];
    const actOf = ({ case: { faults } }: Ran) => lastOf(faults).act;
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
        `${runs} runs of seed ${seed}. Each starts the job of its row: real steps in one process, over dynoxide, the local S3 and the local ` +
        'executor. One or two faults happen at a step, at one of its writes, or at the request. When all work has ended, tables and ' +
        'buckets are compared with those of a run without faults. The columns are the last fault: runs / runs that broke a rule. ' +
        `${missed} runs did not reach the step of their fault.`,
      columns: ['all', ...acts],
      rows: [...groups.map(([name, some]) => row(name, some)), row('all', results)],
      void: broken.length === 0 ? null : `${broken.length} runs broke a rule.`,
    };
  });
}
