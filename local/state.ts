/** What the local cloud remembers between runs: its ports and its credentials. */
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen, PortTaken } from './listen.ts';

/**
 * `apiKey` is absent until the first start has made it. What tenants entrust to the service is encrypted under
 * `secretKey`, and lost without it.
 */
export type Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  secretKey: string;
  apiKey?: string;
  /** Fingerprint of the scopes that there were when the key was made. */
  apiKeyScopes?: string;
};

/** Read, or made at random at the first start; what an older version did not know is added. */
export function readCredentials(path: string): Credentials {
  const known = readJson<Partial<Credentials>>(path) ?? {};
  const credentials = {
    // DynamoDB Local accepts only letters and digits in an access key id.
    accessKeyId: `AKIALOCAL${randomLetters(11)}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
    secretKey: randomBytes(32).toString('base64url'),
    ...known,
  };
  if (known.secretKey === undefined) writeJson(path, credentials);
  return credentials;
}

/**
 * A port for each name, the same at every start, since presigned addresses name them. One that another program has
 * taken meanwhile is replaced; `report` tells.
 */
export async function readPorts<Name extends string>(
  path: string,
  names: readonly Name[],
  report: (line: string) => void,
): Promise<Record<Name, number>> {
  const known = readJson<Record<string, number>>(path) ?? {};
  const ports: Record<string, number> = {};
  for (const name of names) {
    const before = known[name];
    ports[name] = before && (await isFree(before)) ? before : await freePort();
    const isMoved = before !== undefined && ports[name] !== before;
    if (isMoved) report(`port ${before} of ${name} is taken; addresses that were signed for it are void`);
  }
  writeJson(path, ports);
  return ports as Record<Name, number>;
}

/** Whole or not at all, and for nobody else's eyes. */
export function writeJson(path: string, value: unknown): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  try {
    await (await listen(createServer(), port)).close();
    return true;
  } catch (error) {
    if (error instanceof PortTaken) return false;
    throw error;
  }
}

/** One that nothing listens on now. */
export async function freePort(): Promise<number> {
  const listening = await listen(createServer(), 0);
  await listening.close();
  return listening.port;
}

function randomLetters(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('');
}
