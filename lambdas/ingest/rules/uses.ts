/** Estimates the use of engines by an ingest before it starts, for its quote and for the tenant's quotas. */
import type { Asset } from '../../../shared/assets.ts';
import type { EngineMeter } from '../../../shared/usage.ts';
import { CHARACTERS_PER_MINUTE, PICTURES_PER_SECOND } from '../../../shared/workload.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';
import type { Outcomes } from './outcomes.ts';

export interface Use {
  readonly capability:
    | ('transcription' | 'text_analysis' | 'faces' | 'ocr' | 'translation')
    | ('speech' | 'voice_cloning');
  readonly meter: EngineMeter;
  /** The amount in the unit of the meter. */
  readonly quantity: number;
  /** Whether the quantity is only typical for media of this duration, because this media is not analyzed yet. */
  readonly is_estimate: boolean;
}

/** The number of pictures that `normal` analyzes for each picture that `turbo` analyzes (docs/analyses.md). */
const TURBO = 3;

/** The uses of the planned outcomes. Leaves out work that is skipped or that no engine of this environment does. */
export function usesOf(
  { analyses, translations, voice_overs }: Outcomes,
  { duration_ms, mc_model }: { readonly duration_ms: number; readonly mc_model: Asset['mc_model'] },
  template: Pick<TemplateOptions, 'voice_over_config'> | null,
): Use[] {
  const minutes = duration_ms / 60_000;
  const pictures = Math.ceil((minutes * 60 * PICTURES_PER_SECOND) / (mc_model === 'turbo' ? TURBO : 1));
  const characters = Math.ceil(minutes * CHARACTERS_PER_MINUTE);
  const speaker = template?.voice_over_config?.clone_voice ? 'voice_cloning' : 'speech';
  const runs = ({ status }: { readonly status: string }) => status === 'running';
  const runsOf = (kind: keyof Outcomes['analyses']) => {
    const outcome = analyses[kind];
    return outcome !== undefined && runs(outcome);
  };
  const use = (capability: Use['capability'], meter: EngineMeter, quantity: number): Use => {
    return { capability, meter, quantity, is_estimate: capability !== 'transcription' };
  };
  return [
    use('transcription', 'transcribed_ms', runsOf('transcription') ? duration_ms : 0),
    use('faces', 'analyzed_pictures', runsOf('faces') ? pictures : 0),
    use('ocr', 'analyzed_pictures', runsOf('ocr') ? pictures : 0),
    use('text_analysis', 'analyzed_characters', runsOf('metadata') ? characters : 0),
    use('translation', 'translated_characters', characters * translations.filter(runs).length),
    use(speaker, 'spoken_characters', characters * voice_overs.filter(runs).length),
  ].filter(({ quantity }) => quantity > 0);
}
