/** Reports which cues and segments of a transcription exceed a profile's limits. */

import type { Segment } from '../../../../shared/segments.ts';
import { findLanguageRules } from '../../../subtitles/rules/language-rules.ts';
import { layLines } from '../../../subtitles/rules/line-breaks.ts';
import { type ShownPhrase, shownPhrases } from '../../../subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../subtitles/rules/script.ts';
import { hasSpeakerColors, stlLimits } from '../../../subtitles/rules/stl.ts';
import { checkFrameRate } from './check-frame-rate.ts';
import { checkShots } from './check-shots.ts';
import { checkStl } from './check-stl.ts';
import { doubtsOf } from './mark-segments.ts';
import {
  clockTime,
  counted,
  type Found,
  type JudgedCue,
  nameOfCue,
  placeOf,
  type QcFinding,
  type QcReport,
} from './qc-findings.ts';
import { type QcCode, type QcProfile, type QcProfileName, qcProfiles } from './qc-profiles.ts';

export type QcOptions = {
  profile: QcProfileName;
  /** The frame rate for counting gaps, frames a second. */
  frameRate: number;
  /** BCP 47 tag of the segments. */
  language?: string;
  /** No cue is shown after this time. */
  mediaDurationMs?: number;
  /** The times of the media's cuts, ms. Undefined if they are unknown. */
  cuts?: readonly number[];
};

/** The most findings that a report lists. */
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

/**
 * Reports on all cues and segments of a transcription. Callers must pass all segments, because cues depend on their
 * neighbors. Takes linear time.
 */
export function qcReport(segments: readonly Segment[], options: QcOptions): QcReport {
  const { profile: name, frameRate, language, cuts } = options;
  const profile: QcProfile = qcProfiles[name];
  const cues = cuesOf(segments, profile, options);
  const facts: CueFacts = { together: togetherIn(cues), hurried: hurriedIn(cues, profile) };
  const stl = checkStl(cues, profile, frameRate, language);
  const shot = checkShots(cues, profile, frameRate, cuts);
  const found = [
    ...cues.flatMap((cue, i) => cueFindings(cue, cues[i - 1], profile, frameRate)),
    ...segments.flatMap((segment, i) => segmentFindings(segment, segments[i - 1], profile, facts)),
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

function severityOf({ code, cue, segment_ids }: Found, { advised }: QcProfile): QcFinding['severity'] {
  // Without a code table, no part of the transcription can be written.
  if (code === 'not_in_stl' && cue === null && segment_ids.length === 0) return 'error';
  // Speakers may interrupt each other, so their segments may overlap. Cues must not overlap.
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
    limits: layout,
    ...(language !== undefined && { language }),
    ...(mediaDurationMs !== undefined && { mediaDurationMs }),
  });
  // Phrases are in spoken order. With set times, they can be shown in a different order.
  const inOrder = phrases.toSorted((one, other) => one.shown.start_ms - other.shown.start_ms);
  return inOrder.map(({ atoms, shown, speaker, voices, start_ms, segments: places }: ShownPhrase, i) => ({
    ...shown,
    lines: layLines(atoms, layout.line_width, rules),
    speaker,
    ...(voices && { voices }),
    number: i + 1,
    spoken_ms: start_ms,
    segment_ids: places.map((place) => segments[place]!.segment_id),
  }));
}

function cueFindings(
  cue: JudgedCue,
  before: JudgedCue | undefined,
  profile: QcProfile,
  rate: number,
): Found[] {
  const found: Found[] = [];
  const add = (code: QcCode, value: number, limit: number, detail: string) =>
    found.push({ ...placeOf(cue), code, value, limit, detail });
  const name = nameOfCue(cue);
  const shown_ms = cue.end_ms - cue.start_ms;
  const widths = cue.lines.map(displayWidth);
  const speed = speedOf(cue);
  const widest = Math.max(...widths);
  const late_ms = cue.start_ms - cue.spoken_ms;
  if (speed > profile.characters_per_second)
    add(
      'reading_speed',
      speed,
      profile.characters_per_second,
      `${name}: the reading speed is ${speed} characters a second; the maximum is ${profile.characters_per_second}.`,
    );
  if (widest > profile.line_width)
    add(
      'line_length',
      widest,
      profile.line_width,
      `${name}: a line has ${widest} characters; the maximum is ${profile.line_width}.`,
    );
  // Players wrap or cut a line that is too long.
  const lines = sum(widths.map((width) => Math.max(Math.ceil(width / profile.line_width), 1)));
  if (lines > profile.lines)
    add(
      'line_count',
      lines,
      profile.lines,
      `${name}: it takes ${lines} lines; the maximum is ${profile.lines}.`,
    );
  if (shown_ms < profile.min_ms)
    add(
      'too_short',
      shown_ms,
      profile.min_ms,
      `${name}: it is shown for ${shown_ms} ms; the minimum is ${profile.min_ms} ms.`,
    );
  if (shown_ms > profile.max_ms)
    add(
      'too_long',
      shown_ms,
      profile.max_ms,
      `${name}: it is shown for ${shown_ms} ms; the maximum is ${profile.max_ms} ms.`,
    );
  if (late_ms > profile.late_ms)
    add(
      'late_cue',
      late_ms,
      profile.late_ms,
      `${name}: it is shown ${late_ms} ms after it is spoken; the maximum is ${profile.late_ms} ms.`,
    );
  if (before) found.push(...gapFindings(cue, before, profile, rate));
  return found;
}

function gapFindings(
  cue: JudgedCue,
  before: JudgedCue,
  { gap_frames, flicker_ms }: QcProfile,
  rate: number,
): Found[] {
  const gap_ms = cue.start_ms - before.end_ms;
  const frames = rounded((gap_ms * rate) / 1000);
  const [place, name] = [placeOf(cue), nameOfCue(cue)];
  if (gap_ms < 0) {
    const detail = `${name}: it begins ${-gap_ms} ms before the previous cue ends.`;
    return [{ ...place, code: 'overlap', value: -gap_ms, limit: 0, detail }];
  }
  const gap = `${name}: the gap is ${counted(frames, 'frame')}`;
  // Milliseconds are rounded, so times differ from frames by half a frame at most.
  if (Math.round(frames) < gap_frames)
    return [
      {
        ...place,
        code: 'gap_too_small',
        value: frames,
        limit: gap_frames,
        detail: `${gap}; the minimum is ${gap_frames}.`,
      },
    ];
  const closed = Math.max(gap_frames, CLOSED_FRAMES);
  if (Math.round(frames) <= closed || gap_ms >= flicker_ms) return [];
  const limit = rounded((flicker_ms * rate) / 1000);
  const detail = `${gap}; the minimum is ${limit}.`;
  return [{ ...place, code: 'gap_flickers', value: frames, limit, detail }];
}

/** Viewers do not see a gap of so few frames. */
const CLOSED_FRAMES = 2;

/** Facts about the cues of segments, by segment id. */
type CueFacts = { readonly together: ReadonlySet<string>; readonly hurried: ReadonlySet<string> };

/** Characters a second. */
const speedOf = ({ lines, start_ms, end_ms }: JudgedCue): number =>
  rounded((sum(lines.map(displayWidth)) * 1000) / (end_ms - start_ms));

/**
 * The segments with a cue that exceeds the reading speed. A fast segment is not included if silence around it makes its
 * cues readable.
 */
const hurriedIn = (cues: readonly JudgedCue[], { characters_per_second: limit }: QcProfile) =>
  new Set(cues.flatMap((cue) => (speedOf(cue) > limit ? cue.segment_ids : [])));

/** The segments that share a cue with another segment. */
const togetherIn = (cues: readonly JudgedCue[]): ReadonlySet<string> =>
  new Set(cues.flatMap(({ segment_ids }) => (segment_ids.length > 1 ? segment_ids : [])));

/**
 * Finds segments whose set times are shortened because other segments overlap them, by more than the gap to the next
 * cue.
 */
function lostSetTimes(segments: readonly Segment[], cues: readonly JudgedCue[], gap_ms: number): Found[] {
  const byId = new Map(segments.map((segment) => [segment.segment_id, segment]));
  const shown = new Map<string, JudgedCue[]>();
  for (const cue of cues)
    for (const id of cue.segment_ids) {
      const others = shown.get(id);
      if (others) others.push(cue);
      else shown.set(id, [cue]);
    }
  return [...shown].flatMap(([id, own]): Found[] => {
    const { timing, start_ms, end_ms } = byId.get(id)!;
    if (timing !== 'set') return [];
    const [first, last] = [own[0]!, own.at(-1)!];
    const late_ms = Math.max(first.start_ms - start_ms, 0);
    const early_ms = Math.max(end_ms - last.end_ms, 0);
    const value = Math.round(late_ms + early_ms);
    if (value <= gap_ms) return [];
    const nearest = early_ms > late_ms ? last : first;
    const detail = `${nameOfCue(nearest)}: other segments take ${value} ms of its set times.`;
    return [{ ...placeOf(nearest), code: 'overlap', value, limit: 0, detail }];
  });
}

function segmentFindings(
  segment: Segment,
  before: Segment | undefined,
  profile: QcProfile,
  { together, hurried }: CueFacts,
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
  const summary = new Map<string, QcReport['summary'][number]>();
  for (const { code, severity, value, limit } of findings) {
    const key = `${code} ${severity}`;
    const known = summary.get(key);
    if (!known) summary.set(key, { code, severity, count: 1, worst: value, limit });
    else {
      known.count++;
      known.worst = distance(value, limit) > distance(known.worst, limit) ? value : known.worst;
    }
  }
  return [...summary.values()].sort((one, other) => other.count - one.count);
}

const distance = (value: number, limit: number): number => Math.abs(value - limit);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const rounded = (value: number): number => Math.round(value * 10) / 10;
