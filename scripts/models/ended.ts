/** Runs a program to its end. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { defined } from '../../shared/checked-access.ts';

/** Returns the exit code, and the text of the standard error. A program that cannot be started has the code 1. */
export async function ended(program: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  defined(child.stderr).on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve(1);
    });
    child.once('close', resolve);
  });
  return { code, said: said.trim() };
}
