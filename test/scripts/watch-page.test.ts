import { describe, expect, it } from 'vitest';
import { watchPage } from '../../scripts/demo/watch-page.ts';

const clip = { source: 'clip.mp4', poster: 'clip.jpg', caption: '9:16' };
const storyboard = { poster: 'poster.jpg', tile_width: 160, tile_height: 90, tiles: [] };
const page = { name: 'talk.mp4', versions: [], storyboard, clips: [clip] };

describe("the demo's page", () => {
  it('shows a picture of the film and of each clip before it plays', () => {
    const html = watchPage(page);
    expect(html).toContain('<video controls poster="poster.jpg"></video>');
    expect(html).toContain('<video controls poster="clip.jpg" src="clip.mp4"></video>');
  });

  it('has players without one where there is none', () => {
    expect(watchPage({ ...page, storyboard: null, clips: [{ ...clip, poster: null }] })).not.toMatch(
      /<video[^>]*poster=/,
    );
  });
});
