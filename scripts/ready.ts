/** `ready.json` of the local cloud: where its parts answer. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Ready {
  readonly site_url: string;
  readonly api_url: string;
  readonly api_key: string;
  readonly s3_url: string;
  readonly dynamodb_url: string;
  readonly stepfunctions_url: string;
  readonly region: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Physical name of the Auth table. */
  readonly auth_table: string;
  readonly pid: number;
}

export const localFolder = () => process.env.KINORA_LOCAL_DIR ?? '.local';

/** What runs, or null where nothing does. A file left by a killed process does not count. */
export async function readyLocalCloud(folder = localFolder()): Promise<Ready | null> {
  try {
    const ready = JSON.parse(await readFile(join(folder, 'ready.json'), 'utf8')) as Ready;
    process.kill(ready.pid, 0);
    return ready;
  } catch {
    return null;
  }
}
