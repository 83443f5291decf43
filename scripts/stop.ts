/** `npm stop`: stops the local cloud that `npm start` or the demo started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { layoutOf, localDirectory } from '../local/layout.ts';
import { readOwner } from '../local/ready.ts';

const { owner } = layoutOf(localDirectory());
const running = await readOwner(owner);
if (running === undefined) {
  console.log('The local cloud is not running.');
} else {
  process.kill(running.pid, 'SIGTERM');
  while ((await readOwner(owner)) !== undefined) await sleep(100);
  console.log('Stopped.');
}
