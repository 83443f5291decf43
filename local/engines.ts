/** The media engines that this machine has, as environment variables for the functions. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/**
 * Where ffmpeg, ffprobe and the recognisers are: what the user set, else the system's, else the one from npm. One that
 * is missing is left out: the step that needs it then fails with `engine_unavailable` and names the cure.
 */
export function engineVariables(host: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const platform = `${process.platform}-${process.arch}`;
  const found = {
    FFMPEG_PATH:
      host.FFMPEG_PATH ?? onPath('ffmpeg', host) ?? fromNpm(`@ffmpeg-installer/${platform}`, 'ffmpeg'),
    FFPROBE_PATH:
      host.FFPROBE_PATH ?? onPath('ffprobe', host) ?? fromNpm(`@ffprobe-installer/${platform}`, 'ffprobe'),
    POCKETSPHINX_PATH: host.POCKETSPHINX_PATH ?? onPath('pocketsphinx_continuous', host),
    SHERPA_MODEL_DIR: host.SHERPA_MODEL_DIR,
  };
  return Object.fromEntries(Object.entries(found).filter(([, path]) => path !== undefined)) as Record<
    string,
    string
  >;
}

function onPath(command: string, host: NodeJS.ProcessEnv): string | undefined {
  const directories = (host.PATH ?? '').split(delimiter).filter(Boolean);
  return directories.map((directory) => join(directory, command)).find(existsSync);
}

function fromNpm(name: string, binary: string): string | undefined {
  const roots = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return roots.map((root) => join(root, name, binary)).find(existsSync);
}
