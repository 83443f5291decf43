import { expect, it, vi } from 'vitest';
import { scheduled } from '../../../toolchain/bundle/sample-events.ts';

process.env.ENVIRONMENT = 'dev';
const { countsTold, schedule } = await import('../../../platform/kernel/schedule.ts');

const sample = scheduled('Sweep');

async function runOf(work: () => Promise<Record<string, number>>) {
  const lines: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const run = schedule({ name: 'Sweep' }, work, countsTold)(sample, {} as never);
  const [ended] = await Promise.allSettled([run]);
  out.mockRestore();
  return { ended, lines: lines.map((line) => JSON.parse(line)) };
}

it('a schedule returns its counts, and publishes only counts above 0, because AWS bills a metric for each hour with a value', async () => {
  const { ended, lines } = await runOf(async () => ({ events: 2, jobs: 0 }));
  expect(ended).toEqual({ status: 'fulfilled', value: { events: 2, jobs: 0 } });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ message: 'schedule', schedule: 'Sweep', outcome: 'done', Events: 2 });
  const [{ Namespace, Dimensions, Metrics }] = lines[0]._aws.CloudWatchMetrics;
  expect({ Namespace, Dimensions }).toEqual({ Namespace: 'Kinora/dev', Dimensions: [[]] });
  expect(Metrics.map(({ Name }: { Name: string }) => Name)).toEqual(['Events']);
});

it('a schedule fails if its work fails, and logs an error that the alarm counts', async () => {
  const { ended, lines } = await runOf(async () => {
    throw new Error('no table');
  });
  expect(ended.status).toBe('rejected');
  expect(lines[0]).toMatchObject({ level: 'error', schedule: 'Sweep', error_message: 'no table' });
  expect(lines[1]).toMatchObject({ schedule: 'Sweep', outcome: 'failed' });
});

it('a schedule has the remaining time of its function', async () => {
  const handler = schedule({ name: 'Sweep' }, async ({ leftMs }) => ({ left: leftMs() }), countsTold);
  const context = { getRemainingTimeInMillis: () => 50_000 } as never;
  expect(await handler(sample, context)).toEqual({ left: 50_000 });
});
