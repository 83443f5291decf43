/** `npm stop`: ends the local cloud that runs in the local directory, wherever it was started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { layoutOf, localDirectory } from '../local/layout.ts';
import { birthOf } from '../local/processes.ts';
import { readOwner } from '../local/ready.ts';

/** Requests and children that do not end by themselves are cut off by the local cloud well before. */
const patienceMs = 20_000;

const layout = layoutOf(localDirectory());
const owner = await readOwner(layout.owner);
if (!owner) {
  console.log(`No local cloud runs in ${layout.root}.`);
} else {
  process.kill(owner.pid, 'SIGTERM');
  const deadline = Date.now() + patienceMs;
  while (birthOf(owner.pid) === owner.birth && Date.now() < deadline) await sleep(50);
  if (birthOf(owner.pid) === owner.birth) {
    process.kill(owner.pid, 'SIGKILL');
    console.log('It did not stop in time and was killed; the next start puts things in order.');
  } else {
    console.log('Stopped; all state is kept.');
  }
}
