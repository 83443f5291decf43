import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { clientSource } from '../../toolchain/client/source.ts';

it('the client is that of the contract: `npm run client` writes it again', async () => {
  expect(await readFile('client/operations.ts', 'utf8')).toBe(clientSource());
});
