import { sound_events as engines } from '../../../engines/registry.ts';
import { decideDuration } from '../../../media/ffmpeg/measure-duration.ts';
import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { availability, engineFor } from '../../../platform/runtime/engines.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { beyondClaim } from '../../../platform/runtime/reserve-in-step.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { type JobFailure, type StoredAsset, transcribedTrack } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { createSoundAnalyzer } from '../actions/analyze-sound.ts';
import { durationOfSpeech, extractSpeech, type Resume, replaySpeech } from '../actions/extract-speech.ts';
import { reserveIngest } from '../actions/ingest-demands.ts';
import { audioKey, type PreparedAudio, soundKey } from '../actions/ingest-objects.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { sizeOf } from '../actions/report-progress.ts';
import { foreignTrack } from '../rules/foreign-track.ts';
import { usesOf } from '../rules/uses.ts';

/** If less time than this is left, ms, another invocation continues. It is enough for one more part and the plan. */
const TO_PLAN_MS = 300_000;
/** `EXTRACTED` is the progress after the extraction, `HEARD` after the speech was read again (if that is needed). */
const EXTRACTED = 0.6;
const HEARD = 0.85;

interface PrepareInput extends AssetJobInput {
  /** Where the previous invocation stopped. */
  readonly resume?: Resume | null;
}

/** The result if the extraction is not finished. The state machine runs the step again with it. */
interface Unfinished {
  readonly resume: Resume;
}

export const settings = defineStep<PrepareInput>({
  name: 'PrepareAudio',
  description: 'Extracts the speech of the media, detects where it is, and plans the pieces for the engine',
  memory: 2048,
  timeout: 900,
  ffmpeg: true,
  // Quotas are reserved in the Ephemeral table.
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { transcription: ['plan'] },
  },
  event: sampleJob,
});

export const handler = ingestStep<PrepareInput, PreparedAudio | Unfinished>(
  settings,
  async (input, context) => {
    const { tenant, assets, jobs, objects, results, signal, progress, leftMs, job } = context;
    const asset = await assets.get(input.asset_id);
    const source = await requireSource(input, { tenant, objects });
    const key = audioKey(tenant, input);
    const canRecognize = availability('sound_events').status === 'available';
    const findEvents = canRecognize ? engineFor('sound_events', engines, {}).find : undefined;
    const heard = createSoundAnalyzer(findEvents);
    const resume = await extractSpeech(
      { objects, key, resume: input.resume ?? null },
      {
        tools: mediaTools,
        source,
        track: transcribedTrack(asset) ?? 1,
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
    const duration_ms = durationOfSpeech(defined(await objects.size(key)));
    const beyond_ms = beyondClaim(duration_ms, asset.duration_ms ?? 0);
    if (beyond_ms > 0) {
      const mc_model = asset.processed_as ?? asset.mc_model;
      const template = await findTemplate(asset.template_id, context);
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
    await results.writeWaveform(input.asset_id, input.job_id, listener.waveform());
    const engine = await transcription();
    const foreign = foreignTrack(asset, engine);
    const pieces = foreign === null ? await engine.plan(sound) : [];
    await jobs.planParts(input.asset_id, input.job_id, pieces.map(sizeOf));
    const claim = { claimed_ms: asset.duration_ms, has_video: asset.width !== null, heard_ms: duration_ms };
    const decide = (media: OpenMedia) => decideDuration(mediaTools, media, claim, signal);
    const lasts = await withOpenMedia(source, decide, signal);
    const refused = foreign && { analyses: { ...asset.analyses, transcription: failed(foreign) } };
    await progress.report({ stage: 'transcription', facts: { duration_ms: lasts, ...refused } });
    return { audio: { key, duration_ms }, pieces };
  },
);

const failed = (error: JobFailure) => ({ status: 'failed', error }) as const;

const fractionOf = (position_ms: number, { duration_ms }: StoredAsset): number =>
  duration_ms === null ? 0 : Math.min(1, position_ms / duration_ms);
