import { faces } from '../../../engines/registry.ts';
import { findCenters } from '../../../media/framing/autocenter.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { doneBy, engineFor } from '../../../platform/runtime/engines.ts';
import { defineStep, sampleJob, sampleSpan } from '../../../platform/steps/define-step.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import { keepFaces } from '../../analyses/actions/keep-faces.ts';
import type { CameraShot } from '../../analyses/rules/analysis-types.ts';
import { textSpans } from '../../analyses/rules/text-spans.ts';
import { type IngestContext, ingestStep } from '../actions/ingest-step.ts';
import { makeStoryboard } from '../actions/make-storyboard.ts';
import { spanFiles } from '../actions/span-files.ts';
import { tryAnalysis } from '../actions/try-analysis.ts';
import { type AnalysisOutcomes, failAll, ready } from '../rules/outcomes.ts';
import type { PictureSpan } from '../rules/picture-spans.ts';
import { joinShots, type SpanFindings } from '../rules/span-findings.ts';

interface MergeInput extends AssetJobInput {
  readonly spans: readonly PictureSpan[];
}

interface Joining extends IngestContext {
  readonly input: MergeInput;
  readonly seen: readonly SpanFindings[];
  readonly shots: readonly CameraShot[];
}

export const settings = defineStep<MergeInput>({
  name: 'MergePictures',
  description: 'Merges the findings of all spans into the results of the picture analyses',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write'],
    engines: { faces: ['tellApart'] },
  },
  event: { ...sampleJob, spans: [sampleSpan] },
});

export const handler = ingestStep<MergeInput, { analyses: AnalysisOutcomes }>(
  settings,
  async (input, context) => {
    const { assets, results, progress } = context;
    const { asset_id, job_id, spans } = input;
    await progress.report({ stage: 'framing' });
    const asset = await assets.get(asset_id);
    const files = spanFiles(input, context);
    const seen: SpanFindings[] = [];
    for (const { index } of spans) seen.push(await files.read(index));
    const duration_ms = asset.duration_ms ?? lastOf(spans).end_ms;
    const isCounted = spans.every(({ is_sparse }) => !is_sparse);
    const shots = joinShots(seen, duration_ms, isCounted);
    await results.writeList(asset_id, 'camera_shoots', job_id, shots);
    const joining = { ...context, input, seen, shots };
    const isWanted = (kind: 'faces' | 'ocr') => asset.analyses[kind]?.status === 'running';
    const ofFaces = isWanted('faces') ? await joined('faces', joinFaces, joining) : {};
    const ofTexts = isWanted('ocr') ? await joined('ocr', joinTexts, joining) : {};
    progress.stage('framing', 0.4);
    await joinCenters(joining, asset, duration_ms);
    progress.stage('framing', 0.6);
    // The storyboard is optional: if it fails, the other results stay.
    await tryAnalysis(() => makeStoryboard(input, seen, duration_ms, context), context);
    await progress.report({ stage: 'framing', fraction: 1 });
    return { analyses: { camera_shoots: ready, autocenter: ready, ...ofFaces, ...ofTexts } };
  },
);

/** Runs one merge. If the merge fails, or a span has no findings of this kind, only this analysis fails. */
async function joined(
  kind: 'faces' | 'ocr',
  join: (joining: Joining) => Promise<void>,
  joining: Joining,
): Promise<AnalysisOutcomes> {
  const unseen = joining.seen.find(({ failures }) => failures[kind])?.failures[kind];
  if (unseen) return failAll([kind], unseen);
  const end = await tryAnalysis(() => join(joining), joining);
  return 'failure' in end ? failAll([kind], end.failure) : { [kind]: ready };
}

const everyMs = ({ input }: Joining) => itemAt(input.spans, 0).sample_ms;

async function joinFaces(joining: Joining): Promise<void> {
  const { input, seen, shots, usage, job } = joining;
  const { asset_id, job_id } = input;
  const files = spanFiles(input, joining);
  const samples = seen.flatMap(({ pictures }, span) =>
    pictures.map(({ at_ms, faces: found }) => ({
      at_ms,
      faces: found.map(({ crop, ...face }) => ({ ...face, ...(crop && { crop: { ...crop, span } }) })),
    })),
  );
  const used = { meter: 'analyzed_pictures', at: job.created_at, job_id, by: doneBy('faces') } as const;
  const meter = (quantity: number) => usage.record({ ...used, use_id: `${job_id}#faces#compared`, quantity });
  const cropOf = async ({ crop }: (typeof samples)[number]['faces'][number]) =>
    crop ? files.jpeg(crop.span, crop) : null;
  await keepFaces(
    { asset_id, job_id, samples, shots, every_ms: everyMs(joining), cropOf },
    { ...joining, engine: await engineFor('faces', faces, {}), meter },
  );
}

async function joinTexts(joining: Joining): Promise<void> {
  const { input, seen, shots, results } = joining;
  const samples = seen.flatMap(({ pictures }) => pictures);
  const texts = textSpans(samples, shots, everyMs(joining));
  await results.writeList(input.asset_id, 'texts', input.job_id, texts);
}

async function joinCenters(
  { input, seen, shots, results }: Joining,
  { width, height }: StoredAsset,
  duration_ms: number,
): Promise<void> {
  const autocenter = findCenters({
    shots,
    motion: seen.flatMap(({ motion }) => motion),
    faces: seen.flatMap(({ pictures }) => pictures),
    width: width ?? 1,
    height: height ?? 1,
    duration_ms,
  });
  await results.writeList(input.asset_id, 'autocenter', input.job_id, autocenter);
}
