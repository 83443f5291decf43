/** Which engines an ingest may need, as far as that is known before anybody has looked at its media. */
import type { Capability } from '../../../engines/declarations.ts';

/** What of a template decides it. */
export interface TemplateOptions {
  readonly enabled_ocr?: boolean | null;
  readonly translation_language_ids?: readonly string[] | null;
  readonly voice_over_language_ids?: readonly string[] | null;
}

/** What is done of every media that has sound, or pictures. */
const always: readonly Capability[] = ['transcription', 'sound_events', 'shots', 'faces', 'text_analysis'];

/** Those that nobody has asked for are not waited for: shared/lines.ts. */
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
