/** `npm start`: runs the local cloud. KINORA_ASSEMBLY serves another cloud assembly than the one of these sources. */
import { up } from '../local/up.ts';
import { productOf } from '../toolchain/product.ts';

await up(productOf(process.env.KINORA_ASSEMBLY));
