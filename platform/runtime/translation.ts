/** The translation engine of this environment. */
import { translation as engines } from '../../engines/registry.ts';
import type { TranslationEngine } from '../../engines/translation/port.ts';
import { engineFor } from './engines.ts';

/** Throws `engine_unavailable` if no engine is available. */
export const translation = async (): Promise<TranslationEngine> => engineFor('translation', engines, {});
