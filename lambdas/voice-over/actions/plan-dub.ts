/** Plans a voice over: what is spoken in a language, by which voice, in which time. */
import { byteRange, samplesOf } from '../../../engines/media/audio.ts';
import { medianPitch } from '../../../engines/sound/median-pitch.ts';
import type { SpeechEngine } from '../../../engines/speech/port.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { declarationOf } from '../../../platform/runtime/engines.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import {
  engineUnavailable,
  internalError,
  languageUnsupported,
} from '../../../platform/shared/job-errors.ts';
import { type Language, languageById } from '../../../platform/shared/languages.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { type MediaObjects, speechKey } from '../../../platform/store/objects.ts';
import type { StoredTranscription, Transcriptions } from '../../transcripts/records/transcriptions.ts';
import type { VoiceOverConfig } from '../rules/jobs.ts';
import { type DubPlan, piecesOf, speakerOf, spokenIn } from '../rules/plan.ts';
import { type HeardSpeaker, voicesFor } from '../rules/voices.ts';
import { FITTING_VERSION } from './fitted-speech.ts';
import { whyUncloned, whyUnspeakable } from './requirements.ts';

interface Services {
  readonly tenant: TenantId;
  readonly objects: MediaObjects;
  readonly transcriptions: Transcriptions;
  readonly engine: () => Promise<SpeechEngine>;
}

/** So much of a speaker's voice is listened to. */
const LISTENED_MS = 20_000;

/** Throws a JobError where nothing here speaks the language, or clones voices where that is asked for. */
export async function dubPlan(
  asset: StoredAsset,
  language_id: string,
  config: VoiceOverConfig,
  { tenant, objects, transcriptions, engine }: Services,
): Promise<DubPlan> {
  const heads = await transcriptions.list(asset.asset_id);
  const original = heads.findLast(({ source }) => source === 'transcribed');
  const translation = heads.find((head) => head.source === 'translated' && head.language_id === language_id);
  // Both were there when the job was recorded, or the ingest translated.
  if (original === undefined || translation === undefined) throw new Canceled();
  const language = languageOf(language_id);
  requireHere(original, language, config);
  const [heard, segments] = await Promise.all(
    [original, translation].map((head) => transcriptions.segments(head).catch(whenDeleted)),
  );
  const choice = declarationOf('speech');
  if (choice.status === 'unavailable') throw engineUnavailable(choice.reason);
  const pitches = await pitchesOf(asset, heard!, objects, tenant);
  const speakers = speakersOf(heard!, segments!).map(
    (speaker): HeardSpeaker => ({ speaker, pitch_hz: pitches.get(speaker) ?? null }),
  );
  const voices = voicesFor(speakers, (await engine()).voices(language.code));
  const duration_ms = asset.duration_ms ?? Math.max(0, ...heard!.map(({ end_ms }) => end_ms));
  const speaking = {
    ...{ engine: choice.engine.name, language: language.code },
    ...{ fitting: FITTING_VERSION, duration_ms },
  };
  return {
    language: language.code,
    transcription_id: translation.transcription_id,
    transcription_version: translation.version,
    config,
    duration_ms,
    spoken: spokenIn(heard!),
    pieces: piecesOf(segments!, (speaker) => voices.get(speaker)!.voice, speaking),
  };
}

function requireHere(original: StoredTranscription, language: Language, config: VoiceOverConfig): void {
  const refusal = whyUnspeakable(languageOf(original.language_id), language);
  if (refusal !== null) throw languageUnsupported(refusal);
  const uncloned = whyUncloned(config);
  if (uncloned !== null) throw engineUnavailable(uncloned);
}

/** In the order in which they are heard: who is added later changes no other's voice. */
const speakersOf = (heard: readonly Segment[], translated: readonly Segment[]): (string | null)[] => [
  ...new Set([...heard, ...translated].map(speakerOf)),
];

/** How high speakers' voices are, by some of what they say; none where the speech of the ingest is gone. */
async function pitchesOf(
  { asset_id, ingest_job_id }: StoredAsset,
  heard: readonly Segment[],
  objects: MediaObjects,
  tenant: TenantId,
): Promise<Map<string | null, number | null>> {
  const pitches = new Map<string | null, number | null>();
  const key = ingest_job_id === null ? null : speechKey(tenant, asset_id, ingest_job_id);
  if (key === null || (await objects.size(key)) === null) return pitches;
  for (const speaker of new Set(heard.map(speakerOf))) {
    const samples = await saidBy(speaker, heard, (first, last) => objects.readRange(key, first, last));
    pitches.set(speaker, medianPitch(samples));
  }
  return pitches;
}

/** The longest of what somebody says, up to so much. */
async function saidBy(
  speaker: string | null,
  heard: readonly Segment[],
  read: (first: number, last: number) => Promise<Uint8Array>,
): Promise<Int16Array> {
  const length = ({ start_ms, end_ms }: Segment) => end_ms - start_ms;
  const own = heard.filter((segment) => speakerOf(segment) === speaker && length(segment) > 0);
  const pieces: Uint8Array[] = [];
  let left_ms = LISTENED_MS;
  for (const segment of own.toSorted((one, other) => length(other) - length(one))) {
    if (left_ms <= 0) break;
    const taken_ms = Math.min(left_ms, length(segment));
    const { first, last } = byteRange(segment.start_ms, segment.start_ms + taken_ms);
    pieces.push(await read(first, last));
    left_ms -= taken_ms;
  }
  return samplesOf(Buffer.concat(pieces));
}

function languageOf(id: string): Language {
  const language = languageById(id);
  if (language === undefined) throw internalError(`There is no language ${id}.`);
  return language;
}
