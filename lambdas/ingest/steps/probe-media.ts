import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { audioTrackMissing, mediaUnreadable } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import { chosenAudio, MEDIA_LIMITS, type MediaInfo } from '../../../shared/media.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { removeAnalyses } from '../actions/clear-results.ts';
import { reserveIngest, whyUnavailable } from '../actions/ingest-demands.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { itemsOf, type MediaTracks, plannedOutcomes } from '../rules/outcomes.ts';
import { usesOf } from '../rules/uses.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'ProbeMedia',
  description: 'Probes the uploaded file, and rejects files that are not media',
  memory: 2048,
  timeout: 900,
  ffmpeg: true,
  // Quotas are reserved in the Ephemeral table.
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
    media: ['Read'],
  },
  event: sampleJob,
});

export const handler = ingestStep<AssetJobInput, MediaTracks>(settings, async (input, context) => {
  const { tenant, assets, jobs, objects, progress, now, signal, job } = context;
  const source = await objects.source(sourceKey(tenant, input.asset_id));
  if (source === null || source.size === 0) {
    throw mediaUnreadable('The file is empty. Upload a video or audio file.');
  }
  await progress.report({ stage: 'probe' });
  // Results of an earlier, failed ingest belong to other media.
  await removeAnalyses(input.asset_id, now(), context);
  const probe = (open: OpenMedia) => probeMedia(mediaTools, open, MEDIA_LIMITS, signal);
  const media = await withOpenMedia(source, probe, signal);
  const { template_id, language_id, mc_model, audio_track = null } = await assets.get(input.asset_id);
  const language = language_id === null ? null : (languageById(language_id)?.code ?? null);
  const chosen = chosenAudio(media, { language, number: audio_track });
  const facts = factsOf(media, chosen);
  if (audio_track !== null && chosen === null) {
    await progress.report({ stage: 'probe', fraction: 1, facts });
    throw audioTrackMissing(
      `The file has ${facts.source_tracks.length} audio tracks; track ${audio_track} was asked for.`,
    );
  }
  const heard = { has_audio: media.audio.length > 0, has_video: media.video !== null };
  const processed_as = heard.has_video ? mc_model : 'normal';
  const template = await findTemplate(template_id, context);
  const planned = plannedOutcomes(heard, template, whyUnavailable);
  const known = { duration_ms: facts.duration_ms ?? 0, mc_model: processed_as };
  await reserveIngest(job, usesOf(planned, known, template), tenant);
  await jobs.plan(input.asset_id, input.job_id, itemsOf(planned));
  await progress.report({ stage: 'probe', fraction: 1, facts: { ...facts, ...planned, processed_as } });
  await progress.beginBranches([
    ...(heard.has_audio ? ['sound' as const] : []),
    ...(heard.has_video ? ['pictures' as const] : []),
  ]);
  return heard;
});

const factsOf = (
  { duration_ms, size_bytes, findings, start_timecode, video, audio }: MediaInfo,
  chosen: ReturnType<typeof chosenAudio>,
) => ({
  // If the file states no duration, PrepareAudio finds it.
  duration_ms: duration_ms || null,
  size_bytes,
  width: video?.width ?? null,
  height: video?.height ?? null,
  frame_rate: video?.frame_rate ? Math.round(video.frame_rate.value * 1000) / 1000 : null,
  start_timecode: video === null ? null : start_timecode,
  audio_channels: chosen?.track.channels ?? null,
  source_tracks: audio.map((track) => {
    const { number, language, title, codec, channels, is_default } = track;
    const choice = track === chosen?.track ? chosen.choice : null;
    return { number, language, title, codec, channels, is_default, chosen: choice };
  }),
  source_findings: findings,
});
