import { describe, expect, it } from 'vitest';
import type { QcReport } from '../../client/index.ts';
import { qcReportExample } from '../../contract/kit/qc-fields.ts';
import { type Version, watchPage } from '../../scripts/demo/watch-page.ts';

const clip = { source: 'clip.mp4', poster: 'clip.jpg', caption: '9:16' };
const storyboard = { poster: 'poster.jpg', tile_width: 160, tile_height: 90, tiles: [] };
const page = { name: 'talk.mp4', versions: [], storyboard, clips: [clip] };

const report = (passed: boolean): QcReport => ({
  ...{ ...qcReportExample, sources: [...qcReportExample.sources], passed },
  findings: [{ ...qcReportExample.findings[0]!, detail: 'Faster than <people> read.' }],
});
const version = (code: string, native_name: string, more: Partial<Version> = {}) => ({
  language: { code, native_name, direction: 'ltr' as const },
  media: `video.${code}.mp4`,
  source: `video.${code}.mp4`,
  vtt: `WEBVTT\n\n00:00.000 --> 00:01.000\n${native_name}\n`,
  segments: [],
  qc: report(true),
  files: [],
  ...more,
});

describe('a language of the watch page', () => {
  const stl = { format: 'EBU STL', file: 'subtitles.es.stl' };
  const html = watchPage({
    ...page,
    versions: [version('en', 'English'), version('es', 'Español', { files: [stl], qc: report(false) })],
  });

  it('has a menu entry with its audio and subtitles', () => {
    expect(html).toContain('<select><option>English</option><option>Español</option></select>');
    const listed = /const versions = (.*);/.exec(html)![1]!;
    expect(JSON.parse(listed)).toMatchObject([
      { source: 'video.en.mp4', srclang: 'en', label: 'English' },
      { source: 'video.es.mp4', srclang: 'es', label: 'Español' },
    ]);
    expect(listed).toContain(Buffer.from(version('es', 'Español').vtt).toString('base64'));
  });

  it('has its EBU STL file and its QC report', () => {
    expect(html).toContain('<a href="subtitles.es.stl" download>EBU STL</a>');
    expect(html).toContain('Quality for broadcast: passed, 1 error, 0 warnings');
    expect(html).toContain('Quality for broadcast: not passed, 1 error, 0 warnings');
    expect(html).toContain('<button data-at="61">error: Faster than &lt;people&gt; read.</button>');
  });
});

describe('the page of the demo', () => {
  it('shows a picture of the film and of each clip before playback', () => {
    const html = watchPage(page);
    expect(html).toContain('<video controls poster="poster.jpg"></video>');
    expect(html).toContain('<video controls poster="clip.jpg" src="clip.mp4"></video>');
  });

  it('has players without a picture if none exists', () => {
    const bare = watchPage({ ...page, storyboard: null, clips: [{ ...clip, poster: null }] });
    expect(bare).not.toMatch(/<video[^>]*poster=/);
  });
});
