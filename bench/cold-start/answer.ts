/** The one message that a process of a benchmark or a test sends. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The message of the process; throws if it ends without one. */
export async function answerOf<T>(child: ChildProcess): Promise<T> {
  const silence = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code} and said nothing`);
  });
  const [answer] = (await Promise.race([once(child, 'message'), silence])) as [T];
  silence.catch(() => {});
  return answer;
}
