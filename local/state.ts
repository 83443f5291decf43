/** Reads and writes the JSON files of the local cloud, such as its credentials. */
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * `apiKey` is absent until the first start has made the key. The app encrypts secrets of tenants with `secretKey`. Without it, these
 * secrets cannot be decrypted.
 */
export type Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  secretKey: string;
  apiKey?: string;
  /** The scopes in the version that made the key, as text. */
  apiKeyScopes?: string;
};

/** Reads the credentials. Generates them at the first start, and adds members that an older version did not have. */
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

/** Writes the file atomically. Only the owner can read it. */
export function writeJson(path: string, value: unknown): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Reads a JSON file. Returns undefined if the file does not exist or is damaged. */
export function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

function randomLetters(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('');
}
