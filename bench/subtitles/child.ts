/**
 * Runs one contender in its own process, so that other code does not change how V8 optimizes it. Arguments: task, name,
 * script. It answers each message with its speed in megabytes per second of processor time.
 */
import { prepare, type Task } from './contenders.ts';
import type { Script } from './texts.ts';

/** Processor time of a round, ms. It is the same for all contenders, so that fast and slow contenders are measured equally exactly. */
const SAMPLE_MS = 40;

const [, , task, name, script] = process.argv;
const { once, megabytes } = prepare(task as Task, name!, script as Script);

process.on('message', async () => process.send!(await speed()));
process.on('disconnect', () => process.exit());

/** Measures processor time, because other programs may use this machine. */
async function speed(): Promise<number> {
  const start = process.cpuUsage();
  let runs = 0;
  let elapsed = 0;
  while (elapsed < SAMPLE_MS) {
    await once();
    runs += 1;
    const { user, system } = process.cpuUsage(start);
    elapsed = (user + system) / 1000;
  }
  return (runs * megabytes * 1000) / elapsed;
}
