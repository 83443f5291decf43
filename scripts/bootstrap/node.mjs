/** Finds a Node that runs the project: 24 or newer, which runs TypeScript files as they are. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Cure } from './cure.mjs';

const NEEDED = 24;

/** The one that npm brought, so that all use the same; else the one that runs this, if it is new enough. */
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

/** A build for glibc does not start on musl (Alpine); one that did is not asked again within a process's life. */
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
