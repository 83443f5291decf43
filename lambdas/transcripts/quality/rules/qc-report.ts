/** Reports which cues and segments of a transcription exceed a profile's limits. */
import { defined, itemAt, lastOf } from '../../../../shared/checked-access.ts';
import type { Missing, Segment } from '../../../../shared/segments.ts';
import { findLanguageRules } from '../../../subtitles/rules/language-rules.ts';
import { layLines } from '../../../subtitles/rules/line-breaks.ts';
import { type CueOptions, shownPhrases } from '../../../subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../subtitles/rules/script.ts';
import { hasSpeakerColors, stlLimits } from '../../../subtitles/rules/stl.ts';
import { checkShots } from './check-shots.ts';
import { checkFrameRate, checkStl } from './check-stl.ts';
import { doubtsOf } from './mark-segments.ts';
import {
  clockTime,
  counted,
  type Found,
  foundIn,
  type JudgedCue,
  type QcFinding,
  type QcReport,
} from './qc-findings.ts';
import {
  MAX_LINES,
  MAX_MS,
  type QcCode,
  type QcProfile,
  type QcProfileName,
  qcProfiles,
} from './qc-profiles.ts';

export type QcOptions = Pick<CueOptions, 'language' | 'mediaDurationMs'> & {
  profile: QcProfileName;
  /** The frame rate for counting gaps, frames a second. */
  frameRate: number;
  /** The times of the media's cuts, ms. Undefined if they are unknown. */
  cuts?: readonly number[] | undefined;
  /** The originals that a translation lacks. */
  missing?: readonly Missing[];
};

const MAX_FINDINGS = 10_000;

/** Codes that exceed no limit of the profile, but that a person should check. */
const reviewCodes: ReadonlySet<QcCode> = new Set([
  'gap_flickers',
  'late_cue',
  'fast_speech',
  'low_confidence',
  'shot_change',
  'not_in_stl',
  'frame_rate',
]);

/** Reports on all cues and segments, in linear time. Callers must pass all segments, because cues depend on neighbors. */
export function qcReport(segments: readonly Segment[], options: QcOptions): QcReport {
  const { profile: name, frameRate, language, cuts, missing = [] } = options;
  const profile: QcProfile = qcProfiles[name];
  const cues = cuesOf(segments, profile, options);
  const facts = factsOf(cues, profile);
  const stl = checkStl(cues, profile, frameRate, language);
  const shot = checkShots(cues, profile, frameRate, cuts);
  const found = [
    ...cues.flatMap((cue, i) => cueFindings(cue, cues[i - 1], profile, frameRate)),
    ...segments.flatMap((segment, i) => segmentFindings(segment, segments[i - 1], profile, facts)),
    ...missing.map(holeAt),
    ...lostSetTimes(segments, cues, profile.layout.gap_ms),
    ...stl.found,
    ...checkFrameRate(profile, frameRate),
    ...shot.found,
  ].sort((one, other) => one.start_ms - other.start_ms);
  const findings = found.map((each): QcFinding => ({ ...each, severity: severityOf(each, profile) }));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    profile: name,
    sources: [...profile.sources],
    frame_rate: frameRate,
    passed: errors === 0,
    cues: cues.length,
    segments: segments.length,
    errors,
    warnings: findings.length - errors,
    summary: summaryOf(findings),
    shot_changes: shot.said,
    stl: stl.said,
    findings: findings.slice(0, MAX_FINDINGS),
    findings_left_out: Math.max(findings.length - MAX_FINDINGS, 0),
  };
}

/** The finding of an original without a translation. */
function holeAt({ original_segment_id, start_ms, end_ms }: Missing): Found {
  const detail = `Original segment at ${clockTime(start_ms)}: it has no translation. Name it in a partial retranslation.`;
  const place = { cue: null, segment_ids: [original_segment_id], start_ms, end_ms };
  return { ...place, code: 'untranslated', value: end_ms - start_ms, limit: 0, detail };
}

function severityOf({ code, cue, segment_ids }: Found, { advised }: QcProfile): QcFinding['severity'] {
  // It is an error if no code table has the letters of the language, because then no STL file can be written.
  if (code === 'not_in_stl' && cue === null && segment_ids.length === 0) return 'error';
  // Overlapping segments cause only a warning, because speakers may interrupt each other. Cues must not overlap.
  const isOfSegments = code === 'overlap' && cue === null;
  return reviewCodes.has(code) || advised.includes(code) || isOfSegments ? 'warning' : 'error';
}

function cuesOf(
  segments: readonly Segment[],
  { layout: usual, stl }: QcProfile,
  { language, mediaDurationMs }: QcOptions,
): JudgedCue[] {
  const layout = stl ? stlLimits('level1', hasSpeakerColors(segments)) : usual;
  const rules = findLanguageRules(language);
  const phrases = shownPhrases(segments, {
    ...{ limits: layout, language, mediaDurationMs },
  });
  // Phrases are in spoken order. With set times, they can be shown in a different order.
  const inOrder = phrases.toSorted((one, other) => one.shown.start_ms - other.shown.start_ms);
  return inOrder.map(({ atoms, shown, speaker, voices, start_ms, segments: places }, i) => ({
    ...shown,
    lines: layLines(atoms, layout.line_width, rules),
    speaker,
    ...(voices && { voices }),
    number: i + 1,
    spoken_ms: start_ms,
    segment_ids: places.map((place) => itemAt(segments, place).segment_id),
  }));
}

type Measure = readonly [
  code: QcCode,
  value: number,
  limit: number,
  bound: 'minimum' | 'maximum',
  said: string,
  unit?: ' ms',
];

function cueFindings(
  cue: JudgedCue,
  before: JudgedCue | undefined,
  profile: QcProfile,
  rate: number,
): Found[] {
  const { characters_per_second, min_ms, late_ms, layout } = profile;
  const shown_ms = cue.end_ms - cue.start_ms;
  const widths = cue.lines.map(displayWidth);
  const speed = speedOf(cue);
  const widest = Math.max(...widths);
  // A line that is too long counts as several lines, because players wrap or cut it.
  const lines = sum(widths.map((width) => Math.max(Math.ceil(width / layout.line_width), 1)));
  const late = cue.start_ms - cue.spoken_ms;
  const measures: Measure[] = [
    [
      'reading_speed',
      speed,
      characters_per_second,
      'maximum',
      `the reading speed is ${speed} characters a second`,
    ],
    ['line_length', widest, layout.line_width, 'maximum', `a line has ${widest} characters`],
    ['line_count', lines, MAX_LINES, 'maximum', `it takes ${lines} lines`],
    ['too_short', shown_ms, min_ms, 'minimum', `it is shown for ${shown_ms} ms`, ' ms'],
    ['too_long', shown_ms, MAX_MS, 'maximum', `it is shown for ${shown_ms} ms`, ' ms'],
    ['late_cue', late, late_ms, 'maximum', `it is shown ${late} ms after it is spoken`, ' ms'],
  ];
  const found = measures
    .filter(([, value, limit, bound]) => (bound === 'maximum' ? value > limit : value < limit))
    .map(([code, value, limit, bound, said, unit = '']) =>
      foundIn(cue, { code, value, limit, detail: `${said}; the ${bound} is ${limit}${unit}.` }),
    );
  return before ? [...found, ...gapFindings(cue, before, profile, rate)] : found;
}

function gapFindings(
  cue: JudgedCue,
  before: JudgedCue,
  { gap_frames, flicker_ms }: QcProfile,
  rate: number,
): Found[] {
  const gap_ms = cue.start_ms - before.end_ms;
  const value = rounded((gap_ms * rate) / 1000);
  if (gap_ms < 0) {
    const detail = `it begins ${-gap_ms} ms before the previous cue ends.`;
    return [foundIn(cue, { code: 'overlap', value: -gap_ms, limit: 0, detail })];
  }
  const below = (code: QcCode, limit: number) => {
    const detail = `the gap is ${counted(value, 'frame')}; the minimum is ${limit}.`;
    return [foundIn(cue, { code, value, limit, detail })];
  };
  // Milliseconds are rounded, so times differ from frames by half a frame at most.
  if (Math.round(value) < gap_frames) return below('gap_too_small', gap_frames);
  const isClosed = Math.round(value) <= Math.max(gap_frames, CLOSED_FRAMES);
  return isClosed || gap_ms >= flicker_ms ? [] : below('gap_flickers', rounded((flicker_ms * rate) / 1000));
}

/** Viewers do not see a gap of at most this many frames. */
const CLOSED_FRAMES = 2;

/** The reading speed of a cue, characters a second. */
const speedOf = ({ lines, start_ms, end_ms }: JudgedCue): number =>
  rounded((sum(lines.map(displayWidth)) * 1000) / (end_ms - start_ms));

/**
 * `together`: the segments that share a cue with another segment. `hurried`: the segments with a cue above the reading
 * speed. A fast segment is not hurried if the silence around it makes its cues readable.
 */
const factsOf = (cues: readonly JudgedCue[], { characters_per_second }: QcProfile) => ({
  together: segmentsOf(cues.filter(({ segment_ids }) => segment_ids.length > 1)),
  hurried: segmentsOf(cues.filter((cue) => speedOf(cue) > characters_per_second)),
});

const segmentsOf = (cues: readonly JudgedCue[]) => new Set(cues.flatMap(({ segment_ids }) => segment_ids));

/**
 * Finds segments that are shown for less than their set times, because other segments overlap them. Ignores losses up
 * to the gap between cues.
 */
function lostSetTimes(segments: readonly Segment[], cues: readonly JudgedCue[], gap_ms: number): Found[] {
  const byId = new Map(segments.map((segment) => [segment.segment_id, segment]));
  const shown = Map.groupBy(
    cues.flatMap((cue) => cue.segment_ids.map((id) => ({ id, cue }))),
    ({ id }) => id,
  );
  return [...shown].flatMap(([id, own]): Found[] => {
    const { timing, start_ms, end_ms } = defined(byId.get(id));
    if (timing !== 'set') return [];
    const [first, last] = [itemAt(own, 0).cue, lastOf(own).cue];
    const late_ms = Math.max(first.start_ms - start_ms, 0);
    const early_ms = Math.max(end_ms - last.end_ms, 0);
    const value = Math.round(late_ms + early_ms);
    if (value <= gap_ms) return [];
    const nearest = early_ms > late_ms ? last : first;
    const detail = `other segments take ${value} ms of its set times.`;
    return [foundIn(nearest, { code: 'overlap', value, limit: 0, detail })];
  });
}

function segmentFindings(
  segment: Segment,
  before: Segment | undefined,
  profile: QcProfile,
  { together, hurried }: ReturnType<typeof factsOf>,
): Found[] {
  const { segment_id, start_ms, end_ms, text } = segment;
  const place = { cue: null, segment_ids: [segment_id], start_ms, end_ms };
  const name = `Segment at ${clockTime(start_ms)}`;
  const found: Found[] = doubtsOf(segment).map(({ value, limit, detail }) => ({
    ...place,
    code: 'low_confidence',
    value,
    limit,
    detail: `${name}: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`,
  }));
  const limit = profile.characters_per_second;
  const speed = rounded((displayWidth(text) * 1000) / Math.max(end_ms - start_ms, 1));
  if (speed > limit && hurried.has(segment_id)) {
    const detail =
      segment.timing === 'set'
        ? `${name}: its set times need a reading speed of ${speed} characters a second; the maximum is ${limit}. Give it more time or fewer words.`
        : `${name}: it is spoken at ${speed} characters a second; the maximum is ${limit}. No timing makes all of it readable.`;
    found.push({ ...place, code: 'fast_speech', value: speed, limit, detail });
  }
  const overlap_ms = before === undefined ? 0 : before.end_ms - start_ms;
  const isShared = before !== undefined && together.has(segment_id) && together.has(before.segment_id);
  if (overlap_ms > 0 && !isShared) {
    const detail = `${name}: it begins ${overlap_ms} ms before the previous segment ends.`;
    found.push({ ...place, code: 'overlap', value: overlap_ms, limit: 0, detail });
  }
  return found;
}

/** Counts findings by code and severity. The most frequent come first. */
function summaryOf(findings: readonly QcFinding[]): QcReport['summary'] {
  const groups = Map.groupBy(findings, ({ code, severity }) => `${code} ${severity}`);
  const summary = [...groups.values()].map((alike) => {
    const [first] = alike as [QcFinding];
    const { code, severity, limit } = first;
    const worst = alike.reduce((most, { value }) => {
      return distance(value, limit) > distance(most, limit) ? value : most;
    }, first.value);
    return { code, severity, count: alike.length, worst, limit };
  });
  return summary.sort((one, other) => other.count - one.count);
}

const distance = (value: number, limit: number): number => Math.abs(value - limit);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const rounded = (value: number): number => Math.round(value * 10) / 10;
