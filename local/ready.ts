/** `ready.json` contains the addresses of the parts of the running local cloud. It exists as soon as all parts answer. */
import { readFile } from 'node:fs/promises';
import { birthOf } from './processes.ts';
import { writeJson } from './state.ts';

export type Ready = {
  site_url: string;
  /** The origin, without /v1. */
  api_url: string;
  /** A key of the tenant `demo` with all scopes of a tenant. */
  api_key: string;
  s3_url: string;
  dynamodb_url: string;
  stepfunctions_url: string;
  sts_url: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** The physical name of the Auth table. */
  auth_table: string;
} & Owner;

/** Settings of the SDK's clients for a local cloud, without their endpoint. */
export const accessTo = ({ region, access_key_id, secret_access_key }: Ready) => ({
  region,
  credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
});

/** A process. Its start time distinguishes it from a later process with the same pid. */
export type Owner = { pid: number; birth: string };

export function writeReady(path: string, ready: Omit<Ready, keyof Owner>): Ready {
  const whole = { ...ready, ...self() };
  writeJson(path, whole);
  return whole;
}

/** Records the process that holds the lock. The file exists from the start of the local cloud to its end. */
export function writeOwner(path: string): void {
  writeJson(path, self());
}

/** Reads the process that holds the lock. Undefined if this process has ended. */
export function readOwner(path: string): Promise<Owner | undefined> {
  return readLiving<Owner>(path);
}

/** Reads `ready.json`. Undefined if the local cloud does not run, even if a killed process left the file. */
export function readReady(path: string): Promise<Ready | undefined> {
  return readLiving<Ready>(path);
}

function self(): Owner {
  return { pid: process.pid, birth: birthOf(process.pid) ?? '' };
}

async function readLiving<File extends Owner>(path: string): Promise<File | undefined> {
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as File;
    return birthOf(file.pid) === file.birth ? file : undefined;
  } catch {
    return undefined;
  }
}
