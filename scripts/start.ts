/** `npm start`: runs the local cloud. KINORA_ASSEMBLY is the folder of another cloud assembly to serve. */
import { up } from '../local/up.ts';
import { productOf } from '../toolchain/product.ts';

await up(productOf(process.env.KINORA_ASSEMBLY));
