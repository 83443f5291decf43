import { describe, expect, it } from 'vitest';
import { AnalysisResults } from '../../../../lambdas/analyses/records/analysis-results.ts';
import { spansAlong } from '../../../../media/framing/autocenter-spans.ts';
import { assetKey } from '../../../../platform/table/keys.ts';
import { newJobId } from '../../../support/ids.ts';
import { startTestApi } from '../../../support/test-api.ts';

const still = (start_ms: number, end_ms: number, x: number, source: 'face' | 'motion') => {
  const at = { x, y: 0.5 };
  const points = [
    { at_ms: start_ms, ...at },
    { at_ms: end_ms, ...at },
  ];
  return spansAlong({ start_ms, end_ms }, points, { source, confidence: 0.9 });
};

const api = await startTestApi();
const acme = await api.tenant('acme');
const asset = await acme.readyAsset();
const spans = [...still(0, 20_000, 0.3, 'face'), ...still(20_000, 60_000, 0.7, 'motion')];
const results = new AnalysisResults(acme.table, acme.objects, acme.id);
await results.writeList(asset, 'autocenter', newJobId(), spans);

async function framingOf(clip: object, of = asset) {
  const made = await acme.call('POST', `/v1/assets/${of}/video_clips`, { video_clips: [clip] });
  const path = `/v1/assets/${of}/video_clips/${made.json.data[0].video_clip_id}/framing`;
  return { path, ...(await acme.call('GET', path)).json };
}
const upright = { aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true };

describe('GET …/video_clips/{video_id}/framing', () => {
  it('returns the crop path with times relative to the clip, and its source', async () => {
    const framing = await framingOf({ start_ms: 18_000, end_ms: 24_000, ...upright });
    expect(framing).toMatchObject({ asset_id: asset, width: 608, height: 1080, is_rendered: false });
    expect(framing.points).toMatchObject([
      { at_ms: 0, x: 272, y: 0, jump: false },
      { at_ms: 1960, x: 272 },
      { at_ms: 1980, x: 1040, y: 0, jump: true },
      { at_ms: 5960, x: 1040 },
    ]);
    expect(framing.stretches).toEqual([
      { start_ms: 0, end_ms: 2000, source: 'face', confidence: 0.9 },
      { start_ms: 2000, end_ms: 6000, source: 'motion', confidence: 0.9 },
    ]);
  });

  it('follows a center of interest as soon as it is set', async () => {
    const of = await acme.readyAsset();
    const centers = `/v1/assets/${of}/centers_of_interest`;
    await acme.call('POST', centers, { start_ms: 0, end_ms: 60_000, x: 0.25, y: 0.5 });
    const framing = await framingOf({ end_ms: 5000, ...upright }, of);
    expect(framing.stretches).toMatchObject([{ end_ms: 5000, source: 'center_of_interest' }]);
    expect(framing.points[0]).toEqual({ at_ms: 0, x: 176, y: 0, jump: false });
    const later = { start_ms: 0, end_ms: 60_000, x: 0.5, y: 0.5 };
    await acme.call('POST', centers, later);
    expect((await acme.call('GET', framing.path)).json.points[0].x).toBe(656);
  });

  it('shows the middle without autoframing, the whole picture without an aspect ratio, and no frame without a picture', async () => {
    const middle = { source: 'picture', confidence: null };
    const still = await framingOf({ end_ms: 5000, ...upright, autoframing: false });
    expect(still).toMatchObject({ width: 608, points: [{ x: 656, y: 0 }], stretches: [middle] });
    const all = await framingOf({ end_ms: 5000 });
    expect(all).toMatchObject({ width: 1920, height: 1080, points: [{ x: 0, y: 0 }], stretches: [middle] });
    const of = await acme.readyAsset();
    const { path } = await framingOf({}, of);
    const stored = await acme.table.get(assetKey(acme.id, of));
    await acme.table.put({ ...stored!, width: null, height: null, frame_rate: null } as never);
    const { json: sound } = await acme.call('GET', path);
    expect(sound).toMatchObject({ width: null, height: null, points: [], stretches: [] });
  });
});
