/** Probes the uploaded file, and rejects files that are not media. */

import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { audioTrackMissing, mediaUnreadable } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import { chosenAudio, MEDIA_LIMITS, type MediaInfo } from '../../../shared/media.ts';
import { removeAnalyses } from '../actions/clear-analyses.ts';
import { whyUnavailable } from '../actions/engine-availability.ts';
import { reserveIngest } from '../actions/ingest-demands.ts';
import {
  beginBranches,
  type IngestInput,
  ingestServices,
  ingestStep,
  report,
} from '../actions/ingest-services.ts';
import { itemsOf, type MediaTracks, plannedOutcomes } from '../rules/outcomes.ts';
import { usesOf } from '../rules/uses.ts';

export const settings = defineStep<IngestInput>({
  name: 'ProbeMedia',
  description: 'Reads duration, streams and pictures of the media; rejects other files',
  memory: 2048,
  timeout: 900,
  ffmpeg: true,
  // The Ephemeral table keeps the reserved quota.
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
    media: ['Read'],
  },
  event: sampleJob,
});

export const handler = ingestStep<IngestInput, MediaTracks>(
  settings,
  async (input, { tenant, now, signal, job }) => {
    const { assets, jobs, objects, templates } = ingestServices(tenant);
    const source = await objects.source(sourceKey(tenant, input.asset_id));
    if (source === null || source.size === 0) {
      throw mediaUnreadable('The file is empty. Upload a video or audio file.');
    }
    await report(input, { tenant, now: now() }, { stage: 'probe' });
    // Results of an earlier, failed ingest belong to other media.
    await removeAnalyses(input.asset_id, now(), tenant, assets);
    const media = await withOpenMedia(
      source,
      (open) => probeMedia(mediaTools, open, MEDIA_LIMITS, signal),
      signal,
    );
    const { template_id, language_id, mc_model, audio_track = null } = await assets.get(input.asset_id);
    const language = language_id === null ? null : (languageById(language_id)?.code ?? null);
    const chosen = chosenAudio(media, { language, number: audio_track });
    const facts = factsOf(media, chosen);
    if (audio_track !== null && chosen === null) {
      await report(input, { tenant, now: now() }, { stage: 'probe', fraction: 1, facts });
      throw audioTrackMissing(
        `The file has ${facts.source_tracks.length} audio tracks; track ${audio_track} was asked for.`,
      );
    }
    const heard = { has_audio: media.audio.length > 0, has_video: media.video !== null };
    const processed_as = heard.has_video ? mc_model : 'normal';
    const template = await templates.find(template_id);
    const planned = plannedOutcomes(heard, template, whyUnavailable);
    const known = { duration_ms: facts.duration_ms ?? 0, mc_model: processed_as };
    await reserveIngest(job, usesOf(planned, known, template), tenant);
    await jobs.plan(input.asset_id, input.job_id, itemsOf(planned));
    await report(
      input,
      { tenant, now: now() },
      { stage: 'probe', fraction: 1, facts: { ...facts, ...planned, processed_as } },
    );
    const branches = [
      ...(heard.has_audio ? ['sound' as const] : []),
      ...(heard.has_video ? ['pictures' as const] : []),
    ];
    await beginBranches(input, tenant, branches);
    return heard;
  },
);

const factsOf = (
  { duration_ms, size_bytes, start_timecode, video, audio }: MediaInfo,
  chosen: ReturnType<typeof chosenAudio>,
) => ({
  // A duration that the file does not state is known once the sound is extracted.
  duration_ms: duration_ms || null,
  size_bytes,
  width: video?.width ?? null,
  height: video?.height ?? null,
  frame_rate: video?.frame_rate ? Math.round(video.frame_rate.value * 1000) / 1000 : null,
  start_timecode: video === null ? null : start_timecode,
  audio_channels: chosen?.track.channels ?? null,
  source_tracks: audio.map((track) => ({
    number: track.number,
    language: track.language,
    title: track.title,
    codec: track.codec,
    channels: track.channels,
    is_default: track.is_default,
    chosen: track === chosen?.track ? chosen.choice : null,
  })),
});
