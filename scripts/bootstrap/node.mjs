/** Finds a version of Node that can run the project: 24 or newer, because it runs TypeScript without a build. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Cure } from './cure.mjs';

const NEEDED = 24;

/** Returns the Node from npm, so that all machines use the same version, or else the running Node if it is new enough. */
export function findNode(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const fromNpm = join(root, 'node_modules', `node-${platform}`, 'bin', name);
  if (existsSync(fromNpm) && runs(fromNpm)) return fromNpm;
  if (majorOf(process.versions.node) >= NEEDED) return process.execPath;
  throw new Cure(
    `Kinora runs on Node ${NEEDED}; this is ${process.versions.node}, and npm has no build for ${platform}.\n` +
      `Install Node ${NEEDED} from https://nodejs.org/en/download (or: nvm install ${NEEDED}) and run the command again.`,
  );
}

/** Whether the program starts and is new enough. A build for glibc does not start on musl (Alpine). */
function runs(binary) {
  try {
    return majorOf(execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' })) >= NEEDED;
  } catch {
    return false;
  }
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}
