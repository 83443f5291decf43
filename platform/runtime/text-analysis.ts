/** The engine of this environment that finds out what texts are about. */
import { text_analysis as engines } from '../../engines/registry.ts';
import type { TextAnalysis } from '../../engines/text-analysis/port.ts';
import { engineFor } from './engines.ts';

/** Throws `engine_unavailable` where there is none. */
export const textAnalysis = async (): Promise<TextAnalysis> => engineFor('text_analysis', engines, {});
