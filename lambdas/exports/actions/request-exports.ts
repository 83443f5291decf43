/** Starts exports of transcriptions, metadata and clips. */
import { setTimeout as delay } from 'node:timers/promises';
import { demandsIfLimited } from '../../../platform/admission/demand.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { languageById } from '../../../shared/languages.ts';
import { Inconsistent, InvalidState, Problem } from '../../../shared/problems.ts';
import type { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { estimateRendering } from '../../clips/actions/estimate-rendering.ts';
import type { Clips } from '../../clips/records/clips.ts';
import { requireRendered } from '../../clips/rules/clips.ts';
import { stlTiming, usualStl } from '../../transcripts/files/actions/make-stl.ts';
import type { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { type ExportJob, type ExportOwn, renderingFirst } from '../rules/export-job.ts';
import { exportJobs } from './export-step.ts';
import { type ExportRequest, type ExportServices, startExport } from './start-export.ts';

export async function exportTranscription(
  { asset_id, transcription_id, format, options, ...request }: TranscriptionExport,
  services: ExportServices & { readonly transcriptions: Transcriptions },
): Promise<ExportJob> {
  const { version, language_id } = await services.transcriptions.get(asset_id, transcription_id);
  const language = languageById(language_id)?.code ?? language_id;
  const subject = { transcription_id, version, format };
  if (format === 'stl') requireStlOptions(await services.assets.get(asset_id), options);
  return startExport({ asset_id, subject, language, options }, request, services);
}

interface AssetExport extends ExportRequest {
  readonly asset_id: AssetId;
}

interface TranscriptionExport extends AssetExport {
  readonly transcription_id: string;
  readonly format: 'vtt' | 'srt' | 'stl' | 'json';
  readonly options: NonNullable<ExportOwn['options']>;
}

/** Checks what depends on the asset. In problems, the member of the body replaces the query parameter. */
function requireStlOptions(asset: StoredAsset, options: NonNullable<ExportOwn['options']>): void {
  try {
    stlTiming(asset, { ...usualStl, ...options });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_parameter') throw error;
    const findings = error.findings.map(({ code, detail, ...at }) => ({
      pointer: 'parameter' in at ? `/${at.parameter}` : at.pointer,
      code,
      detail,
    }));
    throw new Inconsistent(findings);
  }
}

export async function exportMetadata(
  { asset_id, metadata_id, ...request }: AssetExport & { readonly metadata_id: string },
  services: ExportServices & { readonly results: AnalysisResults },
): Promise<ExportJob> {
  await services.results.metadata(asset_id, metadata_id);
  return startExport({ asset_id, subject: { metadata_id, format: 'metadata' } }, request, services);
}

type ClipExport = AssetExport & { readonly video_clip_id: string };
type WithClips = ExportServices & { readonly clips: Clips };

/** Exports the clip's current file. Returns the job when it has ended, or when the request must be answered. */
export async function exportRenderedClip(
  { asset_id, video_clip_id, ...request }: ClipExport,
  services: WithClips,
): Promise<ExportJob> {
  const { size_bytes } = requireRendered(await services.clips.get(asset_id, video_clip_id), 'async_export');
  requireSmall(size_bytes);
  const subject = { video_clip_id, format: 'clip' } as const;
  const job = await startExport({ asset_id, subject }, request, services);
  return waitForExport(job, exportJobs(services.tenant, services.table));
}

/** The largest file that is exported within a request. Writing a larger one could take longer. */
const MOST_AT_ONCE_BYTES = 200_000_000;

function requireSmall(size_bytes: number): void {
  if (size_bytes <= MOST_AT_ONCE_BYTES) return;
  throw new InvalidState(
    `The clip has ${size_bytes} bytes; a synchronous export allows ${MOST_AT_ONCE_BYTES}. Use async_export.`,
  );
}

/** Waiting time and polling interval, ms. After 23 s a function raises an alarm. Tests set shorter times. */
export const exportWait = { most_ms: 20_000, look_ms: 250 };

async function waitForExport(job: ExportJob, jobs: ReturnType<typeof exportJobs>): Promise<ExportJob> {
  const until = performance.now() + exportWait.most_ms;
  let current = job;
  while (!isTerminal(current.status) && performance.now() < until) {
    await delay(exportWait.look_ms);
    current = await jobs.get(job.asset_id, job.job_id);
  }
  return current;
}

export async function renderAndExportClip(
  { asset_id, video_clip_id, ...request }: ClipExport,
  services: WithClips,
): Promise<ExportJob> {
  const clip = await services.clips.get(asset_id, video_clip_id);
  const asset = requireReady(await services.assets.get(asset_id));
  const rendering = await demandsIfLimited(request.limits, ['rendered_ms'], () =>
    estimateRendering([clip], asset, services),
  );
  const subject = { video_clip_id, format: 'clip' } as const;
  const input = renderingFirst(video_clip_id);
  return startExport({ asset_id, subject, input, rendering }, request, services);
}
