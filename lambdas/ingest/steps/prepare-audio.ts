/** Extracts the speech of the media, detects where it is, and plans the pieces for the engine. */

import { decideDuration } from '../../../media/ffmpeg/measure-duration.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { beyondClaim } from '../../../platform/runtime/reserve-in-step.ts';
import { soundEvents } from '../../../platform/runtime/sound-events.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { JobFailure, StoredAsset } from '../../../shared/assets.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { createSoundAnalyzer } from '../actions/analyze-sound.ts';
import { durationOfSpeech, extractSpeech, type Resume, replaySpeech } from '../actions/extract-speech.ts';
import { reserveIngest } from '../actions/ingest-demands.ts';
import {
  audioKey,
  type IngestInput,
  ingestServices,
  ingestStep,
  type PreparedAudio,
  report,
  sizeOf,
  soundKey,
} from '../actions/ingest-services.ts';
import { foreignTrack } from '../rules/foreign-track.ts';
import { usesOf } from '../rules/uses.ts';

/** With less time left, ms, the step continues in another invocation. The rest is enough for one part and the plan. */
const TO_PLAN_MS = 300_000;
/** Progress of the step after the extraction, and after a second detection pass if one is needed. */
const EXTRACTED = 0.6;
const HEARD = 0.85;

interface PrepareInput extends IngestInput {
  /** The state in which an earlier invocation stopped. */
  readonly resume?: Resume | null;
}

/** The extraction is not finished. The state machine runs the step again with this state. */
interface Unfinished {
  readonly resume: Resume;
}

export const settings = defineStep<PrepareInput>({
  name: 'PrepareAudio',
  description: 'Extracts the audio, detects speech, and plans pieces with cuts in pauses',
  memory: 2048,
  timeout: 900,
  ffmpeg: true,
  // The Ephemeral table keeps the reserved quota.
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { transcription: ['plan'] },
  },
  event: sampleJob,
});

export const handler = ingestStep<PrepareInput, PreparedAudio | Unfinished>(
  settings,
  async (input, { tenant, now, signal, progress, leftMs, job }) => {
    const { assets, jobs, objects, templates } = ingestServices(tenant);
    const asset = await assets.get(input.asset_id);
    const source = await requireSource(input, { tenant, objects });
    const key = audioKey(tenant, input);
    const findEvents = soundEvents()?.find;
    const heard = createSoundAnalyzer(findEvents);
    const resume = await extractSpeech(
      { objects, key, resume: input.resume ?? null },
      {
        tools: mediaTools,
        source,
        track: trackOf(asset),
        claimed_ms: asset.duration_ms ?? 0,
        isStereo: asset.audio_channels === 2,
        budget_ms: leftMs() - TO_PLAN_MS,
        timeout_ms: leftMs(),
        signal,
        hear: heard.push,
        reached: (position_ms) => progress.stage('audio', EXTRACTED * fractionOf(position_ms, asset)),
      },
    );
    if (resume !== null) return { resume };
    const duration_ms = durationOfSpeech((await objects.size(key))!);
    const beyond_ms = beyondClaim(duration_ms, asset.duration_ms ?? 0);
    if (beyond_ms > 0) {
      const mc_model = asset.processed_as ?? asset.mc_model;
      const template = await templates.find(asset.template_id);
      await reserveIngest(job, usesOf(asset, { duration_ms: beyond_ms, mc_model }, template), tenant);
    }
    const isHeardWhole = heard.duration_ms() === duration_ms;
    const listener = isHeardWhole ? heard : createSoundAnalyzer(findEvents);
    if (!isHeardWhole) {
      await replaySpeech({ objects, key }, duration_ms, (samples) => {
        listener.push(samples);
        const fraction = listener.duration_ms() / duration_ms;
        progress.stage('audio', EXTRACTED + (HEARD - EXTRACTED) * fraction);
      });
    }
    const sound = await listener.end((fraction) => {
      signal.throwIfAborted();
      progress.stage('audio', HEARD + (1 - HEARD) * fraction);
    });
    await objects.write(soundKey(tenant, input), JSON.stringify(sound), 'application/json');
    const results = new AnalysisResults(coreTable(tenant), objects, tenant);
    await results.writeWaveform(input.asset_id, input.job_id, listener.waveform());
    const engine = await transcription();
    const foreign = foreignTrack(asset, engine);
    const pieces = foreign === null ? await engine.plan(sound) : [];
    await jobs.planParts(input.asset_id, input.job_id, pieces.map(sizeOf));
    const claim = { claimed_ms: asset.duration_ms, has_video: asset.width !== null, heard_ms: duration_ms };
    const lasts = await withOpenMedia(
      source,
      (media) => decideDuration(mediaTools, media, claim, signal),
      signal,
    );
    const refused = foreign && { analyses: { ...asset.analyses, transcription: failed(foreign) } };
    await report(
      input,
      { tenant, now: now() },
      { stage: 'transcription', facts: { duration_ms: lasts, ...refused } },
    );
    return { audio: { key, duration_ms }, pieces };
  },
);

const failed = (error: JobFailure) => ({ status: 'failed', error }) as const;

/** The track that probing chose; the first track if an earlier version probed the asset. */
const trackOf = ({ source_tracks = [] }: StoredAsset): number =>
  source_tracks.find(({ chosen }) => chosen !== null)?.number ?? 1;

const fractionOf = (position_ms: number, { duration_ms }: StoredAsset): number =>
  duration_ms === null ? 0 : Math.min(1, position_ms / duration_ms);
