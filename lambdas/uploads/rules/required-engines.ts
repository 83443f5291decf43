/** Engines that an ingest may need, judged from the template alone, before the media is probed. */
import type { Capability } from '../../../engines/declarations.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';

/** Analyses that run on every media with sound or pictures. */
const always: readonly Capability[] = ['transcription', 'sound_events', 'shots', 'faces', 'text_analysis'];

/** A job waits only for the capacity of these engines: platform/admission/capacity.ts. */
export function requiredEngines(template: TemplateOptions | null): Capability[] {
  const { enabled_ocr, translation_language_ids, voice_over_language_ids } = template ?? {};
  const spoken = (voice_over_language_ids ?? []).length > 0;
  const translated = spoken || (translation_language_ids ?? []).length > 0;
  return [
    ...always,
    ...(enabled_ocr ? (['ocr'] as const) : []),
    ...(translated ? (['translation'] as const) : []),
    ...(spoken ? (['speech'] as const) : []),
  ];
}
