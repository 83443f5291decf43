/** `npm run client`: writes the operations and types of the client to client/operations.ts. */
import { writeFile } from 'node:fs/promises';
import { clientSource } from '../toolchain/client/source.ts';

const file = 'client/operations.ts';
await writeFile(file, clientSource());
console.log(`Wrote ${file}`);
