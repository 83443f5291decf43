import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, PortTaken } from '../listen.ts';
import { holdPort, holdPorts } from '../ports.ts';

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

async function held(port: number) {
  const own = await holdPort(port);
  toClose.push(() => own.letGo());
  return own;
}

async function listening(port: Parameters<typeof listen>[1]) {
  const own = await listen(
    createServer((_, response) => response.end('served')),
    port,
  );
  toClose.push(() => own.close(0));
  return own;
}

describe('a reserved port', () => {
  it('cannot be taken by others until it is released', async () => {
    const own = await held(0);
    await expect(listening(own.port)).rejects.toThrow(PortTaken);
    await own.letGo();
    expect((await listening(own.port)).port).toBe(own.port);
  });

  it('passes to the server without a moment in which others can take it', async () => {
    const own = await held(0);
    const { url } = await listening(own);
    expect(url).toBe(own.url);
    await own.letGo();
    expect(await (await fetch(url)).text()).toBe('served');
    await expect(listening(own.port)).rejects.toThrow(PortTaken);
  });

  it('closes connections that come before the server listens', async () => {
    const { port } = await held(0);
    const early = connect(port, '127.0.0.1').on('error', () => {});
    early.resume();
    await once(early, 'close');
  });

  it('is below the range of ports that the system chooses itself (RFC 6335 §6, ip_local_port_range)', async () => {
    for (let count = 0; count < 20; count += 1) expect((await held(0)).port).toBeLessThan(32_768);
  });

  it('is refused if the user chose it and another program uses it', async () => {
    const { port } = await listening(0);
    await expect(holdPort(port)).rejects.toThrow(`port ${port} is taken by another program`);
  });
});

describe('ports that are stored in a file', () => {
  it('are used again at the next start; ports in use are replaced and reported', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ports-')), 'ports.json');
    const taken = await listening(0);
    const free = await held(0);
    await free.letGo();
    writeFileSync(file, JSON.stringify({ s3: free.port, sts: taken.port }));
    const lines: string[] = [];
    const { s3, sts, dynamodb } = await holdPorts(file, ['s3', 'sts', 'dynamodb'], (line) =>
      lines.push(line),
    );
    for (const port of [s3, sts, dynamodb]) toClose.push(() => port.letGo());
    expect(s3.port).toBe(free.port);
    expect(sts.port).not.toBe(taken.port);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      s3: s3.port,
      sts: sts.port,
      dynamodb: dynamodb.port,
    });
    expect(lines).toEqual([expect.stringContaining(`port ${taken.port} of sts is taken`)]);
  });
});
