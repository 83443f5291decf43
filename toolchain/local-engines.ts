/** The settings of engines that this machine and its user provide, as environment variables. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Environment variables by name, with the program to look for if the value is the path of one. */
export type LocalSettings = Record<string, { program?: string }>;

/**
 * The settings that the template names: what the user set, else, for a program, where the system has it. One
 * that is missing is left out: the step that needs it then fails with `engine_unavailable` and names the cure.
 */
export function engineVariables(
  settings: LocalSettings,
  host: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const found = Object.entries(settings).map(([name, { program }]) => [
    name,
    host[name] || (program && onPath(program, host)),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value)) as Record<string, string>;
}

function onPath(program: string, host: NodeJS.ProcessEnv): string | undefined {
  const directories = (host.PATH ?? '').split(delimiter).filter(Boolean);
  return directories.map((directory) => join(directory, program)).find(existsSync);
}
