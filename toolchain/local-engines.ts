/** Finds the environment variables for the engines of functions on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Environment variables by name. If the value is the path of a program, the entry names the program to search for. */
export type LocalSettings = Record<string, { program?: string }>;

/**
 * Returns the settings that the template names. The user's value comes first. For a program, the default is its path on
 * this system. A missing setting is left out. The step that needs it then fails with `engine_unavailable`, and its
 * message says what to install.
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
