/** Estimates the use of engines by an ingest before it starts, for its quote and for the tenant's quotas. */
import type { Asset } from '../../../shared/assets.ts';
import type { EngineMeter } from '../../../shared/usage.ts';
import { CHARACTERS_PER_MINUTE, PICTURES_PER_SECOND } from '../../../shared/workload.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';
import type { Outcomes } from './outcomes.ts';

/** Some work of an engine. */
export interface Use {
  readonly capability:
    | ('transcription' | 'text_analysis' | 'faces' | 'ocr' | 'translation')
    | ('speech' | 'voice_cloning');
  readonly meter: EngineMeter;
  /** As the meter counts. */
  readonly quantity: number;
  /** Whether the quantity is the usual one for such media, because the media is not analyzed yet. */
  readonly is_estimate: boolean;
}

/** How many times fewer pictures `turbo` looks at (docs/analyses.md). */
const TURBO = 3;

/** The uses of the planned outcomes, without those that are skipped or have no engine here. */
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
  const about = (capability: Use['capability'], meter: EngineMeter, quantity: number): Use => ({
    capability,
    meter,
    quantity,
    is_estimate: true,
  });
  return [
    ...(runsOf('transcription')
      ? [
          {
            capability: 'transcription' as const,
            meter: 'transcribed_ms' as const,
            quantity: duration_ms,
            is_estimate: false,
          },
        ]
      : []),
    ...(runsOf('faces') ? [about('faces', 'analyzed_pictures', pictures)] : []),
    ...(runsOf('ocr') ? [about('ocr', 'analyzed_pictures', pictures)] : []),
    ...(runsOf('metadata') ? [about('text_analysis', 'analyzed_characters', characters)] : []),
    about('translation', 'translated_characters', characters * translations.filter(runs).length),
    about(speaker, 'spoken_characters', characters * voice_overs.filter(runs).length),
  ].filter(({ quantity }) => quantity > 0);
}
