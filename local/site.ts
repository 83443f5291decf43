/** The site on this machine: built for its own addresses, then served by the emulated edge. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Edge, startEdge } from './edge/index.ts';

const buildCommand = fileURLToPath(new URL('../scripts/build-site.ts', import.meta.url));
/** Shared by all local clouds: pictures take seconds to draw and are the same everywhere. */
const cacheFolder = fileURLToPath(new URL('../build/site/cache', import.meta.url));

/** @param folder where the built site is kept */
export async function startSite(folder: string, port: number, apiUrl: string): Promise<Edge> {
  const addresses = ['--base-url', `http://127.0.0.1:${port}`, '--api-url', apiUrl];
  const folders = ['--out', folder, '--cache', cacheFolder];
  await promisify(execFile)(process.execPath, [buildCommand, 'local', ...addresses, ...folders]);
  return startEdge({ siteDir: join(folder, 'local'), port });
}
