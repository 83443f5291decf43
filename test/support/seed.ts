/**
 * Property tests draw the same cases whenever they run, so that what was green stays green on the same code.
 * `npm run bench -- properties` draws others; a failure names its seed, and `KINORA_SEED=…` draws it again.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.KINORA_SEED ?? 1) });
