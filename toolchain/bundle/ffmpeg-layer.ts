/** Stages ffmpeg and ffprobe of npm's static builds as a Lambda layer: `build/layers/ffmpeg/bin`, on `/opt/bin`. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layersFolder, root } from './paths.ts';
import { readStamp, writeStamp } from './stamp.ts';

/** Lambda runs Linux whatever this machine is; the layer's processor is the one that the media steps ask for. */
const programs = ['ffmpeg', 'ffprobe'] as const;
const packageOf = (program: string) => join(root, 'node_modules', `@${program}-installer`, 'linux-x64');
const folder = join(layersFolder, 'ffmpeg');

/** Copies both programs unless these versions are there; false where npm did not install them. */
export function stageFfmpegLayer(): boolean {
  if (!programs.every((program) => existsSync(join(packageOf(program), program)))) return false;
  const versions = programs.map(versionOf).join(' ');
  const stampFile = join(layersFolder, 'ffmpeg.stamp');
  if (readStamp(stampFile)?.sources === versions) return true;

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const program of programs) {
    const target = join(folder, 'bin', program);
    copyFileSync(join(packageOf(program), program), target);
    // ffprobe's package ships mode 0644.
    chmodSync(target, 0o755);
  }
  writeStamp(stampFile, { sources: versions });
  return true;
}

function versionOf(program: string): string {
  const manifest = readFileSync(join(packageOf(program), 'package.json'), 'utf8');
  return `${program}@${(JSON.parse(manifest) as { version: string }).version}`;
}
