/** The engine of this environment that analyzes the topics of texts. */
import { text_analysis as engines } from '../../engines/registry.ts';
import type { TextAnalysis } from '../../engines/text-analysis/port.ts';
import { engineFor } from './engines.ts';

/** Throws `engine_unavailable` if no engine is available. */
export const textAnalysis = async (): Promise<TextAnalysis> => engineFor('text_analysis', engines, {});
