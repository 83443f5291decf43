/** Checks that an asset has what a voice over needs. */
import { availability } from '../../../platform/runtime/engines.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { type Language, languageById } from '../../../shared/languages.ts';
import { Inconsistent, InvalidState, UnsupportedLanguage } from '../../../shared/problems.ts';
import type { Transcription } from '../../transcripts/lineage/records/transcription-items.ts';
import { isSame } from '../../translation/rules/language-pairs.ts';
import { whyTooLarge, whyTooLong } from '../rules/media-limits.ts';
import type { VoiceOverConfig } from '../rules/voice-over-job.ts';

/** The reason why no engine here speaks a language. Null if one does. */
export function whyUnspeakable(
  spoken: Language,
  language: Language,
  { clone_voice }: VoiceOverConfig,
): string | null {
  if (isSame(spoken, language))
    return `The asset is in ${spoken.name} already. It cannot have a voice over in ${language.name}.`;
  const found = availability(clone_voice ? 'voice_cloning' : 'speech', { language: language.code });
  return found.status === 'available' ? null : found.reason;
}

/** Throws language_unsupported for the first language that is the spoken one, or that no engine speaks. */
export function requireSpeakable(
  languages: readonly string[],
  { language_id }: Transcription,
  config: VoiceOverConfig,
): void {
  const spoken = languageById(language_id);
  languages.forEach((id, at) => {
    const refusal = spoken === undefined ? null : whyUnspeakable(spoken, defined(languageById(id)), config);
    if (refusal !== null) throw new UnsupportedLanguage(`/language_ids/${at}`, refusal);
  });
}

/** Throws invalid_state for the first language without a translation, and names the request that makes one. */
export function requireTranslations(
  assetId: AssetId,
  languages: readonly string[],
  heads: readonly Transcription[],
): void {
  const translated = new Map(
    heads.filter(({ source }) => source === 'translated').map((head) => [head.language_id, head]),
  );
  const empty = languages.find((id) => translated.get(id)?.segment_count === 0);
  if (empty !== undefined)
    throw new InvalidState(
      `The translation into ${defined(languageById(empty)).name} has no segments to speak.`,
    );
  const missing = languages.find((id) => !translated.has(id));
  if (missing === undefined) return;
  throw new InvalidState(
    `The asset is not translated into ${defined(languageById(missing)).name}: translate it first, by ` +
      `POST /v1/assets/${assetId}/translation_jobs with the language_id ${missing}.`,
  );
}

/** The languages of a template, except the spoken language of the asset. A template can apply to several languages. */
export function withoutSpoken(languages: readonly string[], { language_id }: Transcription): string[] {
  const spoken = languageById(language_id);
  return languages.filter((id) => spoken === undefined || !isSame(spoken, defined(languageById(id))));
}

/** The reason why voices cannot be cloned here. Null if they can, or the job does not need cloned voices. */
export function whyUncloned({ clone_voice }: Pick<VoiceOverConfig, 'clone_voice'>): string | null {
  if (!clone_voice) return null;
  const found = availability('voice_cloning');
  return found.status === 'available'
    ? null
    : `clone_voice is asked for, and voices cannot be cloned here. ${found.reason}`;
}

export function requireCloning(config: VoiceOverConfig): void {
  const refusal = whyUncloned(config);
  if (refusal === null) return;
  const pointer = '/voice_over_config/clone_voice';
  throw new Inconsistent([{ pointer, code: 'engine_unavailable', detail: refusal }]);
}

/** Throws invalid_state, before speech is paid for, if the media is too long to mix in one step. */
export function requireMixable({ duration_ms }: Pick<StoredAsset, 'duration_ms'>): void {
  const refusal = whyTooLong(duration_ms);
  if (refusal !== null) throw new InvalidState(refusal);
}

/** Throws for media without a picture, and for media too large to copy in one step. */
export function requireMuxable({ width, size_bytes }: Pick<StoredAsset, 'width' | 'size_bytes'>): void {
  const refuse = (code: string, detail: string) => {
    throw new Inconsistent([{ pointer: '/mux', code, detail }]);
  };
  if (width === null) refuse('no_picture', 'The asset has no picture, so no video can be made.');
  const tooLarge = whyTooLarge(size_bytes);
  if (tooLarge !== null) refuse('media_limit_exceeded', tooLarge);
}
