import { describe, expect, it } from 'vitest';
import { originalSpeech } from '../../../../lambdas/voice-over/actions/sample-speech.ts';
import { wavFile } from '../../../../media/ffmpeg/extract-sound.ts';
import type { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import { asAssetId, asJobId, asTenantId } from '../../../../shared/ids.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { segment } from '../../subtitles/speech.ts';

const id = '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10';
const asset = { asset_id: asAssetId(id), ingest_job_id: asJobId(id) } as Parameters<typeof originalSpeech>[0];

/** One second of sound, as S3 returns it for a range request. */
const file = wavFile(new Uint8Array(32_000));
const objects = {
  size: async () => file.length,
  readRange: async (_: string, first: number, last: number) => {
    if (first >= file.length) throw new Error('InvalidRange');
    return file.subarray(first, last + 1);
  },
} as unknown as MediaObjects;

const said = (start_ms: number, end_ms: number) => segment('Hello', start_ms, end_ms, { speaker: 'Ana' });
const heard = async (...segments: Segment[]) =>
  (await (await originalSpeech(asset, segments, objects, asTenantId('acme')))('Ana', 20_000)).length;

describe("samples of a speaker's speech", () => {
  it('exclude segments that a person wrote after the end of the sound', async () => {
    expect(await heard(said(0, 500))).toBe(8000);
    expect(await heard(said(500, 3000), said(0, 250))).toBe(8000 + 4000);
    expect(await heard(said(2000, 5000), said(0, 250))).toBe(4000);
    expect(await heard(said(2000, 5000))).toBe(0);
  });
});
