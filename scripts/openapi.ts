/** `npm run openapi`: writes the OpenAPI 3.1 document of the API to build/openapi.json. */
import { mkdir, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../toolchain/openapi/document.ts';

const file = 'build/openapi.json';
await mkdir('build', { recursive: true });
await writeFile(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
console.log(`Wrote ${file}`);
