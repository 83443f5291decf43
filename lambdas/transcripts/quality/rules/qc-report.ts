/** The report on a transcription's subtitles: what of their cues and segments is beyond a profile's limits. */

import type { Segment } from '../../../../shared/segments.ts';
import { rulesOf } from '../../../subtitles/rules/language-rules.ts';
import { layLines } from '../../../subtitles/rules/line-breaks.ts';
import { type ShownPhrase, shownPhrases } from '../../../subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../subtitles/rules/script.ts';
import { hasSpeakerColors, stlLimits } from '../../../subtitles/rules/stl.ts';
import { checkedFrameRate } from './check-frame-rate.ts';
import { checkedShots } from './check-shots.ts';
import { checkedStl } from './check-stl.ts';
import { doubtsOf } from './mark-segments.ts';
import { type Found, type JudgedCue, placeOf, type QcFinding, type QcReport } from './qc-findings.ts';
import { type QcCode, type QcProfile, type QcProfileName, qcProfiles } from './qc-profiles.ts';

export type QcOptions = {
  profile: QcProfileName;
  /** In which gaps are counted. */
  frameRate: number;
  /** BCP 47 tag of the segments. */
  language?: string;
  /** No cue is shown beyond it. */
  mediaDurationMs?: number;
  /** When the cuts of the media are, ms; undefined where nobody looked for them. */
  cuts?: readonly number[];
};

/** What one report lists. */
const MAX_FINDINGS = 10_000;

/** Codes that ask for a person's eye and are beyond no limit. */
const forPeople: ReadonlySet<QcCode> = new Set([
  'gap_flickers',
  'late_cue',
  'fast_speech',
  'low_confidence',
  'shot_change',
  'not_in_stl',
  'frame_rate',
]);

/** Linear in the segments, which must be all of the transcription: cues depend on their neighbours. */
export function qcReport(segments: readonly Segment[], options: QcOptions): QcReport {
  const { profile: name, frameRate, language, cuts } = options;
  const profile: QcProfile = qcProfiles[name];
  const cues = cuesOf(segments, profile, options);
  const seen: SeenOf = { together: togetherIn(cues), hasty: hastyIn(cues, profile) };
  const stl = checkedStl(cues, profile, frameRate, language);
  const shot = checkedShots(cues, profile, frameRate, cuts);
  const found = [
    ...cues.flatMap((cue, i) => cueFindings(cue, cues[i - 1], profile, frameRate)),
    ...segments.flatMap((segment, i) => segmentFindings(segment, segments[i - 1], profile, seen)),
    ...takenTimes(segments, cues, profile.layout.gap_ms),
    ...stl.found,
    ...checkedFrameRate(profile, frameRate),
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
  // No code table at all is of the whole transcription.
  if (code === 'not_in_stl' && cue === null && segment_ids.length === 0) return 'error';
  // Speakers may interrupt each other: only cues must not overlap.
  const isOfSegments = code === 'overlap' && cue === null;
  return forPeople.has(code) || advised.includes(code) || isOfSegments ? 'warning' : 'error';
}

function cuesOf(
  segments: readonly Segment[],
  { layout: usual, stl }: QcProfile,
  { language, mediaDurationMs }: QcOptions,
): JudgedCue[] {
  const layout = stl ? stlLimits('level1', hasSpeakerColors(segments)) : usual;
  const rules = rulesOf(language);
  const phrases = shownPhrases(segments, {
    limits: layout,
    ...(language !== undefined && { language }),
    ...(mediaDurationMs !== undefined && { mediaDurationMs }),
  });
  // Phrases are in the order in which they are said: set times may show them in another.
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
      `${speed} characters a second are faster than people read.`,
    );
  if (widest > profile.line_width)
    add('line_length', widest, profile.line_width, `A line has ${widest} characters.`);
  // A line that is too long is wrapped, or cut, by whoever shows it.
  const lines = sum(widths.map((width) => Math.max(Math.ceil(width / profile.line_width), 1)));
  if (lines > profile.lines) add('line_count', lines, profile.lines, `The cue has ${lines} lines.`);
  if (shown_ms < profile.min_ms)
    add('too_short', shown_ms, profile.min_ms, `It is shown for ${shown_ms} ms.`);
  if (shown_ms > profile.max_ms) add('too_long', shown_ms, profile.max_ms, `It is shown for ${shown_ms} ms.`);
  if (late_ms > profile.late_ms)
    add('late_cue', late_ms, profile.late_ms, `It is shown ${late_ms} ms after it is said.`);
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
  const place = placeOf(cue);
  if (gap_ms < 0) {
    const detail = `It begins ${-gap_ms} ms before the one before it ends.`;
    return [{ ...place, code: 'overlap', value: -gap_ms, limit: 0, detail }];
  }
  const detail = `${frames} frames lie between it and the one before it.`;
  // Cues are timed in milliseconds, which are half a frame away at most.
  if (Math.round(frames) < gap_frames)
    return [{ ...place, code: 'gap_too_small', value: frames, limit: gap_frames, detail }];
  const closed = Math.max(gap_frames, CLOSED_FRAMES);
  if (Math.round(frames) <= closed || gap_ms >= flicker_ms) return [];
  return [
    { ...place, code: 'gap_flickers', value: frames, limit: rounded((flicker_ms * rate) / 1000), detail },
  ];
}

/** Cues with so few frames between them are seen to follow each other at once. */
const CLOSED_FRAMES = 2;

/** What the cues of segments say of them, by id. */
type SeenOf = { readonly together: ReadonlySet<string>; readonly hasty: ReadonlySet<string> };

/** Characters a second. */
const speedOf = ({ lines, start_ms, end_ms }: JudgedCue): number =>
  rounded((sum(lines.map(displayWidth)) * 1000) / (end_ms - start_ms));

/** Which segments have a cue that is faster than people read: what silence around them makes readable is not. */
const hastyIn = (cues: readonly JudgedCue[], { characters_per_second: limit }: QcProfile) =>
  new Set(cues.flatMap((cue) => (speedOf(cue) > limit ? cue.segment_ids : [])));

/** Which segments are shown in one cue with another. */
const togetherIn = (cues: readonly JudgedCue[]): ReadonlySet<string> =>
  new Set(cues.flatMap(({ segment_ids }) => (segment_ids.length > 1 ? segment_ids : [])));

/** Segments that are not shown for all of the times that were set, since others are said in them, beyond the gap to the next cue. */
function takenTimes(segments: readonly Segment[], cues: readonly JudgedCue[], gap_ms: number): Found[] {
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
    const detail = `Other segments take ${value} ms of the times that were set.`;
    return [{ ...placeOf(early_ms > late_ms ? last : first), code: 'overlap', value, limit: 0, detail }];
  });
}

function segmentFindings(
  segment: Segment,
  before: Segment | undefined,
  profile: QcProfile,
  { together, hasty }: SeenOf,
): Found[] {
  const { segment_id, start_ms, end_ms, text } = segment;
  const place = { cue: null, segment_ids: [segment_id], start_ms, end_ms };
  const found: Found[] = doubtsOf(segment).map(({ value, limit, detail }) => ({
    ...place,
    code: 'low_confidence',
    value,
    limit,
    detail,
  }));
  const limit = profile.characters_per_second;
  const speed = rounded((displayWidth(text) * 1000) / Math.max(end_ms - start_ms, 1));
  if (speed > limit && hasty.has(segment_id)) {
    const detail =
      segment.timing === 'set'
        ? `The times that were set leave it at ${speed} characters a second: more time, or fewer words, make it readable.`
        : `It is said at ${speed} characters a second: no timing makes all of it readable.`;
    found.push({ ...place, code: 'fast_speech', value: speed, limit, detail });
  }
  const overlap_ms = before === undefined ? 0 : before.end_ms - start_ms;
  const isShared = before !== undefined && together.has(segment_id) && together.has(before.segment_id);
  if (overlap_ms > 0 && !isShared) {
    const detail = `It begins ${overlap_ms} ms before the segment before it ends.`;
    found.push({ ...place, code: 'overlap', value: overlap_ms, limit: 0, detail });
  }
  return found;
}

/** By code and severity, the most frequent first. */
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
