/**
 * One contender in a process of its own, so that no other's code and data shape what V8 makes of it. Arguments: task,
 * name, script. To each message it answers with megabytes a second, by the time of processors.
 */
import { prepare, type Task } from './contenders.ts';
import type { Script } from './texts.ts';

/** How long it runs in a round, ms of a processor, so that the fast are timed as well as the slow. */
const SAMPLE_MS = 40;

const [, , task, name, script] = process.argv;
const { once, megabytes } = prepare(task as Task, name!, script as Script);

process.on('message', async () => process.send!(await speed()));
process.on('disconnect', () => process.exit());

/** By the time of processors: others may work on this machine. */
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
