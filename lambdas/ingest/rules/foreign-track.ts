/** Checks whether the file states a language that the engine does not know. */
import type { TranscriptionEngine } from '../../../engines/transcription/port.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import type { JobFailure, StoredAsset } from '../../../shared/assets.ts';
import { languageByCode } from '../../../shared/languages.ts';

/** Why the chosen track is not transcribed; null if it is. A requested `language_id` overrides the file's language. */
export function foreignTrack(
  { language_id, source_tracks = [] }: Pick<StoredAsset, 'language_id' | 'source_tracks'>,
  engine: Pick<TranscriptionEngine, 'supports'>,
): JobFailure | null {
  const chosen = source_tracks.find((track) => track.chosen !== null);
  const language = chosen?.language ? languageByCode(chosen.language) : undefined;
  if (language_id !== null || language === undefined || engine.supports(language.code)) return null;
  const known = source_tracks.find((track) => track.language !== null && engine.supports(track.language));
  const otherTrack = known ? `track ${known.number} with audio_track, ` : '';
  return jobFailure(
    'language_uncertain',
    `The file states that its audio track ${chosen?.number} is in ${language.name}, which the engine in use does not know. ` +
      `Choose ${otherTrack}another engine or model. If the file is wrong, set language_id.`,
  );
}
