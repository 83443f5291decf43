import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../layout.ts';
import { writeReady } from '../../ready.ts';
import { findRunning } from '../../running.ts';

describe('a running local cloud', () => {
  it('is detected even if it is too busy to answer, but not after its ports are closed', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const dir = mkdtempSync(join(tmpdir(), 'running-'));
    const { ready: path } = layoutOf(dir);
    mkdirSync(dirname(path), { recursive: true });
    const ready = writeReady(path, {
      ...{
        site_url: url,
        api_url: url,
        s3_url: url,
        dynamodb_url: url,
        stepfunctions_url: url,
        sts_url: url,
      },
      ...{ api_key: 'key', region: 'us-east-1', access_key_id: 'id', secret_access_key: 'secret' },
      auth_table: 'Auth',
    });
    expect(await findRunning(dir)).toEqual(ready);
    silent.close();
    await once(silent, 'close');
    expect(await findRunning(dir)).toBeUndefined();
  });
});
