/** `npm run client`: builds the package of the TypeScript client in `client/dist`. */
import { buildClient } from '../toolchain/client/build.ts';

buildClient();
console.log('Built the client in client/dist');
