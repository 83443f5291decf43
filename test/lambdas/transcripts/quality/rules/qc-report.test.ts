import { beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResults } from '../../../../../lambdas/analyses/records/analysis-results.ts';
import type { QcProfileName } from '../../../../../lambdas/transcripts/quality/rules/qc-profiles.ts';
import { type QcOptions, qcReport } from '../../../../../lambdas/transcripts/quality/rules/qc-report.ts';
import { languageByCode } from '../../../../../shared/languages.ts';
import type { Segment } from '../../../../../shared/segments.ts';
import type { Tenant } from '../../../../support/api.ts';
import { newJobId } from '../../../../support/ids.ts';
import { startTestApi } from '../../../../support/test-api.ts';
import { segment } from '../../../subtitles/speech.ts';

const reportOf = (segments: Segment[], more: Partial<QcOptions> = {}) =>
  qcReport(segments, { profile: 'netflix-like', frameRate: 25, language: 'en', ...more });
const codesOf = (segments: Segment[], more: Partial<QcOptions> = {}) =>
  reportOf(segments, more).findings.map(({ code, severity, value, limit }) => [code, severity, value, limit]);

const calm = [segment('Good evening.', 0, 2000), segment('This is the news.', 4000, 6000)];
const long = (words: number) => Array(words).fill('words').join(' ');

describe('the quality report', () => {
  it.each<QcProfileName>(['broadcast', 'web', 'netflix-like'])(
    'has no findings for slow subtitles in the profile %s',
    (profile) => {
      const report = reportOf(calm, { profile });
      expect(report).toMatchObject({ profile, passed: true, cues: 2, segments: 2, errors: 0, findings: [] });
      expect(report.sources.length).toBeGreaterThan(0);
    },
  );

  it('lists cues that are too fast to read, and the fast speech that causes them', () => {
    const fast = [0, 1000, 2000].map((at) => segment(long(10), at, at + 1000));
    const report = reportOf([...fast, segment('End.', 3100, 5000)]);
    expect(report.passed).toBe(false);
    const found = report.findings.find(({ code }) => code === 'reading_speed')!;
    expect(found).toMatchObject({ severity: 'error', cue: expect.any(Number), limit: 20 });
    expect(found.segment_ids).not.toEqual([]);
    const speech = report.findings.find(({ code }) => code === 'fast_speech')!;
    expect(speech).toMatchObject({ severity: 'warning', cue: null, segment_ids: ['0'], value: 59 });
  });

  it('has the limits of its profile', () => {
    // 19 characters a second. Only the BBC profile forbids this speed.
    const segments = [segment('a'.repeat(38), 0, 2000), segment('b.', 2080, 4000)];
    expect(codesOf(segments, { profile: 'broadcast' }).map(([code]) => code)).toContain('reading_speed');
    expect(codesOf(segments, { profile: 'web' })).toEqual([]);
  });

  it.each<[string, Segment[], QcProfileName, [string, 'error' | 'warning', number, number]]>([
    [
      'a line that is too long',
      [segment('x'.repeat(40), 0, 5000)],
      'broadcast',
      ['line_length', 'error', 40, 37],
    ],
    [
      'a cue that is on screen too briefly',
      [segment('One.', 0, 900), segment('Two.', 980, 3000)],
      'web',
      ['too_short', 'warning', 900, 1000],
    ],
    [
      'the lines that a long word needs',
      [segment('x'.repeat(2000), 0, 6000)],
      'netflix-like',
      ['line_count', 'error', 48, 2],
    ],
  ])('lists %s', (_, segments, profile, found) => {
    expect(codesOf(segments, { profile })).toContainEqual(found);
    expect(reportOf(segments, { profile }).passed).toBe(found[1] === 'warning');
  });

  it.each([25, 30, 50, 60])('has no findings for media of %s frames a second', (frameRate) => {
    expect(codesOf(calm, { profile: 'broadcast', frameRate })).toEqual([]);
  });

  it.each([
    [29.97, 30, 'time_codes=non_drop'],
    [59.94, 30, 'time_codes=non_drop'],
    [23.976, 30, 'differ from the time codes of the media'],
    [24, 30, 'differ from the time codes of the media'],
  ])(
    'warns that EBU STL does not support %s frames a second, and explains its time codes',
    (frameRate, rate, said) => {
      const { passed, findings } = reportOf(calm, { profile: 'broadcast', frameRate });
      const found = { code: 'frame_rate', severity: 'warning', value: frameRate, limit: rate };
      expect([passed, findings]).toMatchObject([true, [found]]);
      expect(findings[0]!.detail).toContain(said);
      expect(codesOf(calm, { frameRate })).toEqual([]);
    },
  );

  it('lists gaps that flicker, in frames', () => {
    const segments = [segment('Long enough to be read.', 0, 2000), segment('Another one.', 2480, 4500)];
    expect(codesOf(segments)).toEqual([['gap_flickers', 'warning', 12, 12.5]]);
    expect(codesOf(segments, { frameRate: 50 })).toEqual([['gap_flickers', 'warning', 24, 25]]);
    expect(codesOf(segments, { profile: 'web' })).toEqual([]);
  });

  it('lists segments that overlap, and words with low confidence', () => {
    const word = { text: 'hm', start_ms: 0, end_ms: 500, confidence: 0.1 };
    const doubtful = segment('hm.', 0, 3000, { confidence: 0.1, words: [word] });
    const codes = codesOf([doubtful, segment('Another one.', 2500, 5000)]);
    expect(codes).toContainEqual(['low_confidence', 'warning', 0.1, 0.3]);
    expect(codes).toContainEqual(['overlap', 'warning', 500, 0]);
  });

  const set = (text: string, start_ms: number, end_ms: number, speaker: string | null = null) =>
    segment(text, start_ms, end_ms, { timing: 'set', speaker, segment_id: `${speaker} ${start_ms}` });

  it('lists a cue that is on screen too long, and two cues with too short a gap', () => {
    expect(codesOf([set('Silence.', 0, 9000)])).toEqual([['too_long', 'error', 9000, 7000]]);
    const close = [set('One of us.', 0, 840), set('The other one.', 840, 3000)];
    expect(codesOf(close)).toContainEqual(['gap_too_small', 'error', 0.2, 2]);
    expect(codesOf(close, { profile: 'broadcast' })).toEqual([]);
  });

  it('fails if a segment is shown for less than its set times, but only warns in the profile for the web', () => {
    const segments = [set('One of us is here.', 500, 5600), set('And so is the other.', 5000, 8000)];
    for (const profile of ['broadcast', 'netflix-like', 'web'] as const) {
      const severity = profile === 'web' ? 'warning' : 'error';
      expect(codesOf(segments, { profile })).toContainEqual(['overlap', severity, 680, 0]);
      expect(reportOf(segments, { profile }).passed).toBe(profile === 'web');
    }
    expect(codesOf([set('One of us.', 500, 5000), set('The other.', 5000, 8000)])).toEqual([]);
    expect(codesOf([set('One of us.', 500, 5000), set('The other.', 500, 5000, 'Ben')])).toEqual([]);
  });

  it('numbers cues in the order of display, and has none that overlap', () => {
    const long = segment('I speak all of the time from here to there. I do not stop.', 0, 9100, {
      timing: 'set',
    });
    const { findings } = reportOf([long, segment('Is that so?', 5100, 8000)]);
    expect(findings.filter(({ code, cue }) => code === 'overlap' && cue !== null)).toMatchObject([
      { cue: 2, segment_ids: ['0'] },
    ]);
  });

  it('distinguishes fast speech from set times that are too short', () => {
    const next = segment('And this is what comes right after it.', 1500, 6000, { timing: 'set' });
    const detailOf = (timing: 'set' | 'automatic') =>
      reportOf([segment(long(8), 0, 1500, { timing }), next]).findings.find(
        ({ code }) => code === 'fast_speech',
      )!.detail;
    expect(detailOf('automatic')).toContain('No timing makes all of it readable');
    expect(detailOf('set')).toContain('more time or fewer words');
  });

  it('does not list fast speech that is readable because of the silence after it', () => {
    expect(codesOf([segment(long(8), 500, 1500), segment('End.', 9000, 11_000)])).toEqual([]);
    expect(codesOf([segment('Short.', 500, 700, { timing: 'set' })])).toEqual([]);
  });

  it('passes without segments, and states that there are no cues', () => {
    expect(reportOf([])).toMatchObject({ passed: true, cues: 0, segments: 0, findings: [] });
  });

  it('lists cues that are shown long after they are spoken', () => {
    const segments = Array.from({ length: 8 }, (_, i) => segment('Yes, yes, yes.', i * 300, i * 300 + 300));
    expect(codesOf(segments).map(([code]) => code)).toContain('late_cue');
  });

  it('counts findings by code and severity, with the most extreme value', () => {
    const { summary } = reportOf([
      segment(long(12), 0, 900),
      segment(long(9), 1000, 2000),
      segment('End.', 2100, 4000),
    ]);
    const speech = summary.find(({ code }) => code === 'fast_speech')!;
    expect(speech).toEqual({ code: 'fast_speech', severity: 'warning', count: 2, worst: 78.9, limit: 20 });
  });
});

describe('EBU STL in the quality report', () => {
  const broadcast = { profile: 'broadcast' } as const;

  it('is checked only for broadcast', () => {
    expect(reportOf(calm, broadcast).stl.status).toBe('checked');
    expect(reportOf(calm).stl.status).toBe('not_checked');
  });

  it('lists characters that the code table lacks', () => {
    const report = reportOf([segment('It costs 5 € – OK', 0, 4000)], broadcast);
    const [finding] = report.findings;
    expect(finding).toMatchObject({ code: 'not_in_stl', severity: 'warning', cue: 1, value: 2 });
    expect(finding!.detail).toBe('Cue 1 (0:00): "€" becomes "EUR", "–" becomes "-".');
    expect(report.passed).toBe(true);
  });

  it('fails if a character becomes a question mark', () => {
    const report = reportOf([segment('これは字幕のテスト', 0, 4000)], broadcast);
    expect(report.passed).toBe(false);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'lost_in_stl', severity: 'error', cue: 1, value: 9 }),
    );
    expect(reportOf([segment('Really？', 0, 4000)], broadcast).passed).toBe(true);
  });

  it('fails if no code table has the letters of the language', () => {
    const report = reportOf([segment('こんにちは', 0, 4000)], { ...broadcast, language: 'ja' });
    expect(report.passed).toBe(false);
    expect(report.findings).toMatchObject([{ code: 'not_in_stl', severity: 'error', cue: null }]);
  });

  it.each([
    ['en', 'Șerban and Ștefan, from Constanța'],
    ['ro', 'Constanţa şi Şerban, Ţara'],
    ['is', 'Đoković'],
    ['tr', 'Ðe, Ș'],
  ])('passes for letters that the code table of %s replaces by similar ones: %s', (language, text) => {
    expect(codesOf([segment(text, 0, 4000)], { ...broadcast, language })).toEqual([]);
  });

  it('lists a cue that the file splits', () => {
    const segments = [segment('x'.repeat(37 * 14), 0, 7000)];
    expect(codesOf(segments, broadcast)).toContainEqual(['stl_round_trip', 'error', 1, 0]);
  });
});

describe('shots in the quality report', () => {
  it('are not checked if they are unknown, and the report says why', () => {
    const { status, detail } = reportOf(calm).shot_changes;
    expect([status, detail]).toEqual(['not_checked', expect.stringContaining('analyses.camera_shoots')]);
  });

  it('are not checked for a profile without a rule for them', () => {
    const report = reportOf(calm, { profile: 'web', cuts: [3800] });
    expect(report.shot_changes.status).toBe('not_checked');
    expect(report.findings).toEqual([]);
  });

  it.each([
    [25, 9, 13],
    [50, 18, 25],
  ])('are near a cue within half a second, also at %s frames a second', (frameRate, value, limit) => {
    expect(codesOf(calm, { frameRate, cuts: [3640] })).toEqual([['shot_change', 'warning', value, limit]]);
    expect(codesOf(calm, { frameRate, cuts: [3400] })).toEqual([]);
  });

  it('are the times at which a nearby cue should start and end', () => {
    const found = (...cuts: number[]) => {
      const report = reportOf(calm, { cuts });
      expect(report.shot_changes.status).toBe('checked');
      return report.findings.map(({ code, cue, value, detail }) => [code, cue, value, detail]);
    };
    expect(found(0, 2080, 4000, 9000)).toEqual([]);
    expect(found(3800)).toEqual([['shot_change', 2, 5, 'Cue 2 (0:04): it begins 5 frames after a cut.']]);
    expect(found(3960)).toEqual([['shot_change', 2, 1, 'Cue 2 (0:04): it begins 1 frame after a cut.']]);
    expect(found(2200)).toEqual([['shot_change', 1, 5, 'Cue 1 (0:00): it ends 5 frames before a cut.']]);
  });
});

it('the quality report covers 10,000 segments in linear time, and lists the first 10,000 findings', () => {
  const segments = Array.from({ length: 10_000 }, (_, i) => segment(long(9), i * 1000, i * 1000 + 1000));
  const report = reportOf(segments);
  expect(report.segments).toBe(10_000);
  expect(report.findings).toHaveLength(10_000);
  expect(report.findings_left_out).toBe(report.errors + report.warnings - 10_000);
});

describe('GET …/qc', () => {
  let path: string;
  let acme: Tenant;

  beforeAll(async () => {
    acme = await (await startTestApi()).tenant('acme');
    const asset = await acme.readyAsset({ frame_rate: 50 });
    const language_id = languageByCode('es')!.language_id;
    const id = await acme.transcribed(asset, ['¿Dónde está? Cuesta 5 €'], { language_id });
    path = `/v1/assets/${asset}/transcriptions/${id}/qc`;
  });

  const get = (query = '', headers: Record<string, string> = {}) =>
    acme.call('GET', `${path}${query}`, undefined, headers);

  it('returns the report for broadcast, or for the requested profile with another ETag', async () => {
    const { status, json, headers } = await get();
    expect([status, json.profile, json.version, json.frame_rate]).toEqual([200, 'broadcast', 1, 50]);
    expect(json.findings).toContainEqual(expect.objectContaining({ code: 'not_in_stl' }));
    const etag = { 'if-none-match': headers.ETag! };
    expect((await get('', etag)).status).toBe(304);
    expect((await get('?profile=web', etag)).json).toMatchObject({ profile: 'web' });
    expect((await get('?profile=cinema')).json.code).toBe('invalid_parameter');
  });

  it('compares cues with the cuts of the media if they are known, with a new ETag', async () => {
    const asset = await acme.readyAsset();
    const id = await acme.transcribed(asset, ['Good evening.', 'This is the news.']);
    const place = `/v1/assets/${asset}/transcriptions/${id}/qc?profile=netflix-like`;
    const before = await acme.call('GET', place);
    expect(before.json.shot_changes.status).toBe('not_checked');
    const { segments } = (await acme.call('GET', `/v1/assets/${asset}/transcriptions/${id}`)).json;
    const { start_ms } = segments[1];
    const shot = { start_frame: null, end_frame: null, confidence: null };
    const results = new AnalysisResults(acme.table, acme.objects, acme.id);
    await results.writeList(asset, 'camera_shoots', newJobId(), [
      { ...shot, start_ms: 0, end_ms: start_ms - 200, transition: 'start' },
      { ...shot, start_ms: start_ms - 200, end_ms: 30_000, transition: 'cut' },
      { ...shot, start_ms: 30_000, end_ms: 60_000, transition: 'dissolve' },
    ]);
    const after = await acme.call('GET', place, undefined, { 'if-none-match': before.headers.ETag! });
    expect(after.json.shot_changes).toEqual({ status: 'checked', detail: 'Compared with 1 cut.' });
    expect(after.json.findings).toContainEqual(
      expect.objectContaining({ code: 'shot_change', severity: 'warning', cue: 2, value: 5 }),
    );
  });
});
