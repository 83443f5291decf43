/** Joins what was seen in all spans of the media into what their analyses found. */
import { centers } from '../../../engines/framing/centers.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { AnalysisResults } from '../../analyses/records/results.ts';
import { type IngestInput, ingestServices, ingestStep, report } from '../actions/ingest.ts';
import { readSeen } from '../actions/seen.ts';
import { keepStoryboard } from '../actions/storyboard.ts';
import { type AnalysisEnds, ready } from '../rules/outcomes.ts';
import type { PictureSpan } from '../rules/picture-spans.ts';
import { joinedShots, type SeenSpan } from '../rules/seen.ts';

interface MergeInput extends IngestInput {
  readonly spans: readonly PictureSpan[];
}

export const handler = ingestStep<MergeInput, { analyses: AnalysisEnds }>(
  'MergePictures',
  async (input, { tenant, now, signal }) => {
    const { assets, objects } = ingestServices(tenant);
    const { asset_id, job_id, spans } = input;
    await report(input, tenant, now(), 'framing');
    const asset = await assets.get(asset_id);
    const seen: SeenSpan[] = [];
    for (const { index } of spans) seen.push(await readSeen(tenant, input, index, objects));
    const duration_ms = asset.duration_ms ?? spans.at(-1)!.end_ms;
    const results = new AnalysisResults(coreTable(tenant), objects, tenant);
    const isCounted = spans.every(({ is_sparse }) => !is_sparse);
    const shots = joinedShots(seen, duration_ms, isCounted);
    await results.writeList(asset_id, 'camera_shoots', job_id, shots);
    const motion = seen.flatMap((span) => span.motion);
    const { width, height } = asset;
    const autocenter = centers({
      shots,
      motion,
      faces: [],
      width: width ?? 1,
      height: height ?? 1,
      duration_ms,
    });
    await results.writeList(asset_id, 'autocenter', job_id, autocenter);
    await keepStoryboard(input, seen, duration_ms, { tenant, objects, results, signal });
    await report(input, tenant, now(), 'framing', 1);
    return { analyses: { camera_shoots: ready, autocenter: ready } };
  },
);
