/** `ready.json`: where the parts of the running local cloud answer. It exists once all of them do. */
import { readFile } from 'node:fs/promises';
import { birthOf } from './processes.ts';
import { writeJson } from './state.ts';

export type Ready = {
  site_url: string;
  /** Origin, without /v1. */
  api_url: string;
  /** Tenant `demo`, all tenant scopes. */
  api_key: string;
  s3_url: string;
  dynamodb_url: string;
  stepfunctions_url: string;
  sts_url: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** Physical name of the Auth table. */
  auth_table: string;
} & Owner;

/** A process, and when it was started, which tells it from a later one of the same pid. */
export type Owner = { pid: number; birth: string };

export function writeReady(path: string, ready: Omit<Ready, keyof Owner>): Ready {
  const whole = { ...ready, ...self() };
  writeJson(path, whole);
  return whole;
}

/** Says who holds the lock, from before it is ready until it has stopped. */
export function writeOwner(path: string): void {
  writeJson(path, self());
}

/** Undefined when that process is gone. */
export function readOwner(path: string): Promise<Owner | undefined> {
  return readLiving<Owner>(path);
}

/** Undefined when nothing runs: a file that a killed process left does not count. */
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
