import { describe, expect, it } from 'vitest';
import type { RenderSource } from '../../../media/rendering/render-plan.ts';
import { planned } from './rendered.ts';

const bt709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', range: 'tv' } as const;
const THREE_HOURS_S = 3 * 3600;

/** The longest chunk of a clip with this duration from such media, seconds. */
function longest(width: number, height: number, rate: number, transfer = 'bt709', seconds = THREE_HOURS_S) {
  const frames = seconds * rate;
  const source: RenderSource = {
    ...{ width, height, coded: { width, height }, rotation: 0, phase_us: 0, frames },
    frame_rate: { num: rate, den: 1 },
    ...{ container: 'mp4', codec: 'hevc', pixel_format: 'yuv420p', colour: { ...bt709, transfer } },
    ...{ is_interlaced: false, is_constant: true, clean_frames: null, audio_track: null },
  };
  const { chunks } = planned(source, {});
  expect(chunks.reduce((sum, { start_frame, end_frame }) => sum + end_frame - start_frame, 0)).toBe(frames);
  return Math.max(...chunks.map(({ start_frame, end_frame }) => (end_frame - start_frame) / rate));
}

describe('a chunk of a long clip', () => {
  it('lasts at most two minutes', () => {
    expect(longest(1920, 1080, 25)).toBeCloseTo(108, -1);
    expect(longest(1920, 1080, 25, 'bt709', 4 * THREE_HOURS_S)).toBe(120);
  });

  it('is shorter for larger pictures, so that a step with 1.7 processors renders it in 15 minutes', () => {
    const work = 1920 * 1080 * 60 * 90;
    for (const rate of [25, 30, 60]) {
      expect(longest(3840, 2160, rate) * 3840 * 2160 * rate).toBeLessThan(work * 1.15);
      expect(longest(3840, 2160, rate, 'smpte2084') * 3840 * 2160 * rate).toBeLessThan((work / 2) * 1.25);
    }
  });

  it('lasts half a minute if the clip lasts a minute', () => {
    expect(longest(1920, 1080, 30, 'bt709', 60)).toBe(30);
  });
});
