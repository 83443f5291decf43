/**
 * Property tests generate the same cases in each run, so that the same code gives the same result. `npm run bench --
 * properties` generates others. A failure prints its seed, and `KINORA_SEED=…` repeats it.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.KINORA_SEED ?? 1) });
