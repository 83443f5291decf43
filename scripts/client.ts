/** `npm run client`: writes the client's operations and types, `client/operations.ts`, and builds its package. */
import { writeFile } from 'node:fs/promises';
import { buildClient } from '../toolchain/client/build.ts';
import { clientSource } from '../toolchain/client/source.ts';

const file = 'client/operations.ts';
await writeFile(file, clientSource());
buildClient();
console.log(`Wrote ${file}, and built the package in client/dist`);
