/** `npm start`: the local cloud. KINORA_ASSEMBLY names another cloud assembly to serve than that of these sources. */
import { up } from '../local/up.ts';
import { productOf } from '../toolchain/product.ts';

await up(productOf(process.env.KINORA_ASSEMBLY));
