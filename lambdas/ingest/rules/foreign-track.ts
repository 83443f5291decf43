/** Whether the file itself says that it is in a language which the engine does not know. */
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { TranscriptionEngine } from '../../../engines/transcription/port.ts';
import type { JobFailure, StoredAsset } from '../../../shared/assets.ts';
import { languageByCode } from '../../../shared/languages.ts';

/**
 * Why the track that was chosen is not transcribed; null where it is. What the request says of the language goes before what
 * the file does, which is wrong now and then.
 */
export function foreignTrack(
  { language_id, source_tracks = [] }: Pick<StoredAsset, 'language_id' | 'source_tracks'>,
  engine: Pick<TranscriptionEngine, 'supports'>,
): JobFailure | null {
  const chosen = source_tracks.find((track) => track.chosen !== null);
  const language = chosen?.language ? languageByCode(chosen.language) : undefined;
  if (language_id !== null || language === undefined || engine.supports(language.code)) return null;
  const { title, retryable } = jobErrors.language_uncertain;
  const known = source_tracks.find((track) => track.language !== null && engine.supports(track.language));
  const otherTrack = known ? `track ${known.number} with audio_track, ` : '';
  return {
    code: 'language_uncertain',
    title,
    detail:
      `The file says that its audio track ${chosen!.number} is in ${language.name}, which the engine in use does not know. ` +
      `Choose ${otherTrack}another engine or model, or say with language_id what it is in, if the file is wrong.`,
    retryable,
  };
}
