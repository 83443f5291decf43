/** Reads the one message that a child process of a benchmark or a test sends. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Returns the message of the process. Throws if the process ends without a message. */
export async function answerOf<T>(child: ChildProcess): Promise<T> {
  const silence = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code} and said nothing`);
  });
  const [answer] = (await Promise.race([once(child, 'message'), silence])) as [T];
  silence.catch(() => {});
  return answer;
}
