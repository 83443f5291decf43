import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Cue, ParsedCues } from '../../../lambdas/subtitles/rules/cue.ts';
import { cuesFromSegments } from '../../../lambdas/subtitles/rules/make-cues.ts';
import { parseSrt, writeSrt } from '../../../lambdas/subtitles/rules/srt.ts';
import { parseVtt, writeVtt } from '../../../lambdas/subtitles/rules/vtt.ts';
import { segmentsFromWords } from '../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import { countingIds, spoken } from './speech.ts';

const ffmpegIsHere = spawnSync('ffmpeg', ['-version']).status === 0;

function converted(file: string, from: 'webvtt' | 'srt', to: 'webvtt' | 'srt'): string {
  const input = ['-v', 'error', '-f', from, '-i', 'pipe:0'];
  const { status, stdout, stderr } = spawnSync('ffmpeg', [...input, '-f', to, 'pipe:1'], { input: file });
  expect([status, stderr.toString()]).toEqual([0, '']);
  return stdout.toString();
}

function readAs(format: 'webvtt' | 'srt', file: string): ParsedCues {
  return format === 'webvtt' ? parseVtt(file) : parseSrt(file);
}

// The names need no escapes, because ffmpeg resolves `&amp;` inside a voice tag too, and then shows the rest of the
// tag.
const words = [
  ...spoken('Good evening, Dr. Smith. How do you do?|900', { speaker: 'Ana' }),
  ...spoken('Very well, thank you, and how are you on this fine evening in the middle of the winter?', {
    at: 4500,
    speaker: 'Bo 2',
  }),
  ...spoken('Är allt väl? Всё хорошо. כן, תודה רבה לך. 字幕です。 👩‍👩‍👧 R&D', {
    at: 14_000,
    speaker: 'Ana',
  }),
];
const speech = cuesFromSegments(segmentsFromWords(words, { newId: countingIds(), language: 'en' }));
const late: Cue = {
  start_ms: 400_000_000,
  end_ms: 400_001_500,
  lines: ['After 111 hours', '1984'],
  speaker: null,
};
const cues = [...speech, late];
const asRead = cues.map(({ start_ms, end_ms, lines }) => ({ start_ms, end_ms, lines, speaker: null }));

describe.skipIf(!ffmpegIsHere)('ffmpeg, as a player,', () => {
  it.each([
    ['standard WebVTT', 'webvtt', writeVtt(cues, { flavor: 'standard', language: 'en' })],
    ['simplified WebVTT', 'webvtt', writeVtt(cues, { flavor: 'simplified' })],
    ['SubRip', 'srt', writeSrt(cues)],
  ] as const)('finds every cue of our %s, at its time, with its text', (_, from, file) => {
    expect(cues.length).toBeGreaterThan(5);
    for (const to of ['srt', 'webvtt'] as const) {
      expect(readAs(to, converted(file, from, to)).cues).toEqual(asRead);
    }
  });

  it('resolves the escapes of our WebVTT', () => {
    const lines = ['1 < 2 && 3 > 2 --> &amp;'];
    const file = writeVtt([{ ...late, lines }], { flavor: 'standard' });
    expect(converted(file, 'webvtt', 'srt')).toContain(`\n${lines[0]}\n`);
  });

  it('finds no tags or overrides in the escaped text of our SubRip', () => {
    const file = writeSrt([{ ...late, lines: ['<i>x</i> {\\an8} y'] }]);
    expect(converted(file, 'srt', 'webvtt')).toContain('‹i›x‹/i› ❴\\an8❵ y');
  });

  it('finds a sound description in every flavor', () => {
    const soundDescriptions = [{ start_ms: 5000, end_ms: 6500, text: 'applause' }];
    const segments = segmentsFromWords(words, { newId: countingIds() });
    const both = cuesFromSegments(segments, { soundDescriptions });
    const [standard, simplified] = (['standard', 'simplified'] as const).map(
      (flavor) => parseSrt(converted(writeVtt(both, { flavor }), 'webvtt', 'srt')).cues,
    );
    expect(standard).toHaveLength(simplified!.length + 1);
    for (const found of [standard!, simplified!]) {
      expect(found.filter(({ lines }) => lines.join().includes('[applause]'))).toHaveLength(1);
    }
  });
});
