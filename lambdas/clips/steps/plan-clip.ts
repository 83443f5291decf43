/** Plans how a clip is rendered, and finds the chunks that are missing. */

import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleClip } from '../../../platform/steps/define-step.ts';
import type { JobId } from '../../../shared/ids.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { type Materials, materialsHash, materialsOf } from '../actions/clip-materials.ts';
import { type ClipInput, clipServices, clipStep, clipsJobs } from '../actions/clip-step.ts';
import { requireClipReserved } from '../actions/estimate-rendering.ts';
import { planClip } from '../actions/plan-clip.ts';
import type { ClipFiles, PlannedFile } from '../records/clip-files.ts';
import type { Clips } from '../records/clips.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';
import type { VideoClip } from '../rules/clips.ts';
import type { HeldClips } from '../rules/clips-job.ts';
import { CLIP_SIZE, type Run, runsOf } from '../rules/job-parts.ts';

type Planned =
  /** Another job renders the clip. */
  | { readonly state: 'awaited' }
  | { readonly state: 'made'; readonly made: RenderedClip }
  | {
      readonly state: 'missing';
      readonly file: string;
      readonly lanes: number;
      readonly parts: readonly (Run | { readonly lane: 'sound' })[];
      readonly rendered: number;
      readonly reused: number;
    };

/** Attempts to plan a clip whose branding files change meanwhile. */
const ATTEMPTS = 5;

export const settings = defineStep<ClipInput>({
  name: 'PlanClip',
  description: 'Plans which chunks of a clip to render, and how',
  memory: 1769,
  timeout: 300,
  ffmpeg: true,
  permissions: { tables: { Core: ['batchGet', 'get', 'query', 'update'] }, media: ['Read', 'Write'] },
  event: sampleClip,
});

export const handler = clipStep<ClipInput, Planned>(settings, async (input, { tenant, now, signal, job }) => {
  const { asset_id, job_id, kind } = input;
  const table = coreTable(tenant);
  const services = { ...clipServices(tenant, table), all: new AllJobs(table, tenant) };
  if (kind === 'export') await beginExport(input, tenant, now());
  const asset = await new Assets(table, tenant).get(asset_id).catch(whenDeleted);
  const clip = await services.clips.begin(input, job_id, now()).catch(whenDeleted);
  const planning = { asset, now: now(), signal, ...services };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const planned = await plannedOnce(input, clip, job.own, planning);
    if (planned !== null) return planned;
  }
  throw mediaUnreadable('A file of the branding is missing, although its status is ready. Upload it again.');
});

interface Services extends ReturnType<typeof clipServices> {
  readonly all: Pick<AllJobs, 'find'>;
}

/** Null if a branding file was replaced after its record was read. */
async function plannedOnce(
  input: ClipInput,
  clip: VideoClip,
  own: HeldClips,
  planning: Services & Parameters<typeof planClip>[2],
): Promise<Planned | null> {
  const { video_clip_id } = input;
  const { asset, table, tenant, clips, files, all } = planning;
  const materials = await materialsOf(asset, { table, tenant })(clip);
  const known = await asItWas(input, clip, materials, files);
  if (known !== null) return known;
  const planned = await planClip(clip, materials, planning);
  const { file } = planned.about;
  const encoded = encodedIn(planned);
  const total = encoded.length;
  if ((await files.facts(input, file)) !== null) {
    await files.writePlan(input, planned);
    return { state: 'made', made: { video_clip_id, file, rendered: 0, reused: total } };
  }
  requireClipReserved(clip, materials, own);
  if (!(await claimed(input, clips, all))) return { state: 'awaited' };
  if (!(await files.keepMaterials(input, planned.plan))) return null;
  await files.writePlan(input, planned);
  const there = await files.present(input, planned.chunks);
  const missing = encoded.filter((at) => !there.has(planned.chunks[at]!));
  const runs = runsOf(missing);
  const rendered = missing.length;
  return {
    ...{ state: 'missing', file, lanes: runs.length },
    parts: [...runs, { lane: 'sound' }],
    ...{ rendered, reused: total - rendered },
  };
}

/** Indexes of the chunks to encode. The packets of the other chunks are copied from the media. */
const encodedIn = ({ plan }: PlannedFile): number[] =>
  plan.chunks.flatMap(({ how }, at) => (how === 'encode' ? [at] : []));

/** The result of an unchanged clip, which needs no new plan. Null if the clip or its materials changed. */
async function asItWas(
  ids: ClipInput,
  { render }: VideoClip,
  materials: Materials,
  files: ClipFiles,
): Promise<Planned | null> {
  if (!render || render.made_of !== materialsHash(materials)) return null;
  const { file } = render;
  if ((await files.facts(ids, file)) === null) return null;
  const reused = encodedIn(await files.plan(ids, file)).length;
  const { video_clip_id } = ids;
  return { state: 'made', made: { video_clip_id, file, rendered: 0, reused } };
}

/** Marks the export as running. An export that renders has no earlier step for this. */
async function beginExport({ asset_id, job_id }: ClipInput, tenant: TenantId, now: Date): Promise<void> {
  const jobs = clipsJobs(tenant, coreTable(tenant), 'export');
  await jobs.begin(asset_id, job_id, now);
  await jobs.planParts(asset_id, job_id, [CLIP_SIZE]);
}

/** Whether this job may render the clip now. A claim of a job that has ended does not block it. */
async function claimed(
  { asset_id, video_clip_id, job_id }: ClipInput,
  clips: Clips,
  jobs: Pick<AllJobs, 'find'>,
): Promise<boolean> {
  const ids = { asset_id, video_clip_id };
  const holder = await clips.claim(ids, job_id);
  if (holder === null) return true;
  return (await hasEnded(holder, jobs)) && (await clips.claim(ids, job_id, holder)) === null;
}

async function hasEnded(id: JobId, jobs: Pick<AllJobs, 'find'>): Promise<boolean> {
  const job = await jobs.find(id);
  return job === null || isTerminal(job.status);
}
