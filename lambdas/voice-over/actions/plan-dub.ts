/** Plans a voice over: the texts of a language, their voices and their times. */
import type { Voice } from '../../../engines/speech/port.ts';
import { medianPitch } from '../../../media/sound/pitch.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { declarationOf } from '../../../platform/runtime/engines.ts';
import { speech, voiceCloning } from '../../../platform/runtime/speech.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { engineUnavailable, languageUnsupported, mediaLimitExceeded } from '../../../shared/job-errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import { missingFrom } from '../../transcripts/lineage/rules/missing.ts';
import { originsOf } from '../../transcripts/lineage/rules/staleness.ts';
import { languageOf } from '../../translation/rules/language-pairs.ts';
import type { DubIds } from '../records/dub-files.ts';
import { type HeardSpeaker, voicesFor } from '../rules/choose-voices.ts';
import { cloneOf, type DubPlan, piecesOf, speakerOf, spokenIn } from '../rules/dub-plan.ts';
import { whyTooLong } from '../rules/media-limits.ts';
import type { VoiceOverConfig } from '../rules/voice-over-job.ts';
import { clonedVoices } from './clone-voices.ts';
import { FITTING_VERSION } from './fit-speech.ts';
import { whyUncloned, whyUnspeakable } from './requirements.ts';
import { type OriginalSpeech, originalSpeech } from './sample-speech.ts';
import type { DubServices } from './voice-over-step.ts';

interface Services extends Pick<DubServices, 'tenant' | 'objects' | 'transcriptions' | 'files'> {
  readonly signal: AbortSignal;
}

/** How much of a speaker's speech is analyzed, ms. */
const LISTENED_MS = 20_000;

/** Makes the plan of a language. Throws a JobError if no engine can speak or clone as requested, or the media is too long. */
export async function planDub(
  asset: StoredAsset,
  ids: DubIds,
  config: VoiceOverConfig,
  { tenant, objects, transcriptions, files, signal }: Services,
): Promise<DubPlan> {
  const heads = await transcriptions.list(asset.asset_id);
  const original = heads.findLast(({ source }) => source === 'transcribed');
  const isAsked = ({ source, language_id }: StoredTranscription) =>
    source === 'translated' && language_id === ids.language_id;
  const translation = heads.find(isAsked);
  // Original and translation existed when the job was recorded, or when the ingest translated. If one of them is
  // missing now, the asset is being deleted.
  if (original === undefined || translation === undefined) throw new Canceled();
  const language = languageOf(ids.language_id);
  requireHere(original, language, config);
  const [heard, translated] = await Promise.all([
    transcriptions.segments(original).catch(whenDeleted),
    transcriptions.content(translation).catch(whenDeleted),
  ]);
  const { segments } = translated;
  const choice = declarationOf(config.clone_voice ? 'voice_cloning' : 'speech');
  if (choice.status === 'unavailable') throw engineUnavailable(choice.reason);
  const said = await originalSpeech(asset, heard, objects, tenant);
  const speakers = speakersOf(heard, segments);
  const voiceOf = config.clone_voice
    ? cloneOf
    : await givenVoices(speakers, said, (await speech()).voices(language.code));
  const duration_ms = asset.duration_ms ?? Math.max(0, ...heard.map(({ end_ms }) => end_ms));
  const tooLong = whyTooLong(duration_ms);
  if (tooLong !== null) throw mediaLimitExceeded(tooLong);
  const speaking = {
    ...{ engine: choice.engine.name, language: language.code },
    ...{ fitting: FITTING_VERSION, duration_ms },
  };
  const pieces = piecesOf(segments, voiceOf, speaking);
  const cloned = config.clone_voice
    ? await clonedVoices(pieces, speakers, { ids, files, said, engine: await voiceCloning(), signal })
    : {};
  return {
    language: language.code,
    transcription_id: translation.transcription_id,
    transcription_version: translation.version,
    config,
    cloned,
    duration_ms,
    spoken: spokenIn(heard),
    pieces,
    missing: missingFrom(translated, originsOf(heard, languageOf(original.language_id).code)),
  };
}

function requireHere(original: StoredTranscription, language: Language, config: VoiceOverConfig): void {
  const uncloned = whyUncloned(config);
  if (uncloned !== null) throw engineUnavailable(uncloned);
  const refusal = whyUnspeakable(languageOf(original.language_id), language, config);
  if (refusal !== null) throw languageUnsupported(refusal);
}

/** The speakers in the order of their first speech. An added speaker does not change the voices of earlier ones. */
const speakersOf = (heard: readonly Segment[], translated: readonly Segment[]): (string | null)[] => [
  ...new Set([...heard, ...translated].map(speakerOf)),
];

/** Chooses a voice of the engine for each speaker. The voice is similar to the speaker's own. */
async function givenVoices(
  speakers: readonly (string | null)[],
  said: OriginalSpeech,
  voices: readonly Voice[],
): Promise<(speaker: string | null) => string> {
  const heard: HeardSpeaker[] = [];
  for (const speaker of speakers) {
    heard.push({ speaker, pitch_hz: medianPitch(await said(speaker, LISTENED_MS)) });
  }
  const given = voicesFor(heard, voices);
  return (speaker) => defined(given.get(speaker)).id;
}
