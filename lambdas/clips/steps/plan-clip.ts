import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleClip } from '../../../platform/steps/define-step.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { type Materials, materialsHash, materialsOf } from '../actions/clip-materials.ts';
import { type ClipInput, type ClipServices, clipStep } from '../actions/clip-step.ts';
import { requireClipReserved } from '../actions/estimate-rendering.ts';
import { planClip } from '../actions/plan-clip.ts';
import type { ClipFiles, PlannedFile } from '../records/clip-files.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';
import type { VideoClip } from '../rules/clips.ts';
import type { HeldClips } from '../rules/clips-job.ts';
import { CLIP_SIZE, type Run, runsOf } from '../rules/job-parts.ts';

type Planned =
  /** Another job renders the clip. The machine waits and plans again. */
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

/** The maximum number of attempts to plan a clip. It is planned again if a branding file changes at the same time. */
const ATTEMPTS = 5;

export const settings = defineStep<ClipInput>({
  name: 'PlanClip',
  description: 'Plans how a clip is rendered, and finds the chunks that are missing',
  memory: 1769,
  timeout: 300,
  ffmpeg: true,
  permissions: { tables: { Core: ['batchGet', 'get', 'query', 'update'] }, media: ['Read', 'Write'] },
  event: sampleClip,
});

export const handler = clipStep<ClipInput, Planned>(
  settings,
  async (input, { now, job, jobs, ...context }) => {
    const { asset_id, job_id, kind } = input;
    if (kind === 'export') {
      // This is the first step of an export that renders, so it marks the job as running.
      await jobs.begin(asset_id, job_id, now());
      await jobs.planParts(asset_id, job_id, [CLIP_SIZE]);
    }
    const asset = await context.assets.get(asset_id).catch(whenDeleted);
    const clip = await context.clips.begin(input, job_id, now()).catch(whenDeleted);
    const planning = { ...context, asset, now: now() };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const planned = await plannedOnce(input, clip, job.own, planning);
      if (planned !== null) return planned;
    }
    throw mediaUnreadable(
      'A file of the branding is missing, although its status is ready. Upload it again.',
    );
  },
);

/** Null if a branding file was replaced after its record was read. */
async function plannedOnce(
  input: ClipInput,
  clip: VideoClip,
  own: HeldClips,
  planning: Parameters<typeof planClip>[2],
): Promise<Planned | null> {
  const { video_clip_id } = input;
  const { asset, files } = planning;
  const materials = await materialsOf(asset, planning)(clip);
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
  if (!(await claimed(input, planning))) return { state: 'awaited' };
  if (!(await files.keepMaterials(input, planned.plan))) return null;
  await files.writePlan(input, planned);
  const there = await files.present(input, planned.chunks);
  const missing = encoded.filter((at) => !there.has(itemAt(planned.chunks, at)));
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

/** The result for a clip that did not change since its rendering. Null if the clip or its materials changed. */
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

/** Whether this job may render the clip now. Takes the right from a job that has ended. */
async function claimed(
  { asset_id, video_clip_id, job_id }: ClipInput,
  { clips, table, tenant }: ClipServices,
): Promise<boolean> {
  const ids = { asset_id, video_clip_id };
  const holder = await clips.claim(ids, job_id);
  if (holder === null) return true;
  const job = await new AllJobs(table, tenant).find(holder);
  const hasEnded = job === null || isTerminal(job.status);
  return hasEnded && (await clips.claim(ids, job_id, holder)) === null;
}
