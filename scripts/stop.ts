/** `npm stop`: ends the local cloud that `npm start` or the demo started. */
import { readyLocalCloud } from './ready.ts';

const ready = await readyLocalCloud();
if (ready === null) {
  console.log('No local cloud runs.');
} else {
  process.kill(ready.pid, 'SIGTERM');
  while ((await readyLocalCloud()) !== null) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log('Stopped.');
}
