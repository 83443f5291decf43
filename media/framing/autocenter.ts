/** Autocenter: finds, for each shot, a smooth path for the center of a frame that is narrower than the picture. */
import type { Size } from '../../shared/boxes.ts';
import { type AutocenterSpan, type Interval, isLonger, middleSpan, spansAlong } from './autocenter-spans.ts';
import { type FaceSample, type FaceTarget, faceTargets } from './face-targets.ts';
import { steadyPath } from './steady-path.ts';
import type { Extent, MotionSample } from './subject-motion.ts';

export interface Seen extends Size {
  /** Shots in order of time. Together they cover all pictures of the media. */
  readonly shots: readonly Interval[];
  readonly motion: readonly MotionSample[];
  /** Face samples by time, including samples without faces. */
  readonly faces: readonly FaceSample[];
  /** The duration of the media. If there are no shots, the whole media count as one shot. */
  readonly duration_ms: number;
}

/** Returns a path that follows faces. Without faces, it follows motion, or else stays in the middle. It is smooth, and jumps only between shots. */
export function findCenters({ shots, motion, faces, width, height, duration_ms }: Seen): AutocenterSpan[] {
  const whole = shots.length > 0 ? shots : [{ start_ms: 0, end_ms: duration_ms }];
  const windows = windowsOf(width, height);
  const edge = spacingOf(motion) * 0.55;
  const faceGap = Math.max(MIN_FACE_GAP_MS, spacingOf(faces) * 2.5);
  return whole.filter(isLonger).flatMap((shot) => {
    const within = <T extends { at_ms: number }>(samples: readonly T[], margin: number) =>
      samples.filter(({ at_ms }) => at_ms >= shot.start_ms + margin && at_ms < shot.end_ms - margin);
    const targets = faceTargets(within(faces, 0), windows.x);
    const moved = supported(within(motion, edge).filter(({ weight }) => weight >= MIN_WEIGHT));
    return shotSpans(shot, { targets, moved, faceGap, windows });
  });
}

/** Motion with less weight may be only grain. */
const MIN_WEIGHT = 0.04;
/** A face that is missing for this long is no longer in the picture. A shorter gap is a missed detection. */
const MIN_FACE_GAP_MS = 1500;

/** A sample counts as motion if another sample is within this time and distance. Any other sample is a speck, or a change of light. */
const SUPPORT_MS = 500;
const SUPPORT_DISTANCE = 0.15;

/** Reduces the weight of each sample to the total weight of the samples that are near it in time and place. */
function supported(samples: readonly MotionSample[]): MotionSample[] {
  return samples.map((sample, at) => {
    let support = 0;
    for (const other of samples.slice(Math.max(0, at - 4), at + 5)) {
      const isBeside = other !== sample && Math.abs(other.at_ms - sample.at_ms) <= SUPPORT_MS;
      const isNear = Math.hypot(other.x - sample.x, other.y - sample.y) <= SUPPORT_DISTANCE;
      if (isBeside && isNear) support += other.weight;
    }
    return { ...sample, weight: Math.min(sample.weight, support) };
  });
}

/** Returns the share of the picture's width that a 9:16 frame shows, and the share of its height that a 16:9 frame shows. */
function windowsOf(width: number, height: number): { x: number; y: number } {
  const ratio = width / height;
  return { x: Math.min(MAX_WINDOW, 9 / 16 / ratio), y: Math.min(MAX_WINDOW, (ratio * 9) / 16) };
}

const MAX_WINDOW = 0.6;

function spacingOf(samples: readonly { readonly at_ms: number }[]): number {
  const gaps = samples.slice(1, 200).map(({ at_ms }, at) => at_ms - samples[at]!.at_ms);
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
}

interface ShotFacts {
  readonly targets: readonly FaceTarget[];
  readonly moved: readonly MotionSample[];
  readonly faceGap: number;
  readonly windows: { readonly x: number; readonly y: number };
}

const STEP_MS = 200;
/** The minimum motion in a shot, in seconds of a moving subject. With less motion, the frame does not follow. */
const MIN_MOTION = 0.5;
/** The share of a frame in which the subject may move before the frame follows it. */
const SLACK = 0.1;

function shotSpans(shot: Interval, { targets, moved, faceGap, windows }: ShotFacts): AutocenterSpan[] {
  const length = shot.end_ms - shot.start_ms;
  const count = Math.max(2, Math.round(length / STEP_MS) + 1);
  const step_ms = length / (count - 1);
  const steps = { shot, count, step_ms };
  const isFaced = nearTo(targets, steps, faceGap);
  const motion = moved.filter(({ at_ms }) => !isFaced[Math.round((at_ms - shot.start_ms) / step_ms)]);
  const total = motion.reduce((sum, { weight }) => sum + weight * weight, 0);
  const isMoving = total >= MIN_MOTION;
  if (targets.length === 0 && !isMoving) return [middleSpan(shot)];
  const spacing = spacingOf(targets) || STEP_MS;
  const observations = [
    ...targets.map((target) => ({ ...target, weight: Math.min(MAX_SAMPLE_STEPS, spacing / STEP_MS) })),
    ...(isMoving ? ofWholes(motion).map((sample) => ({ ...sample, weight: sample.weight ** 2 })) : []),
  ];
  const x = followed(observations, 'x', windows.x, steps);
  const y = followed(observations, 'y', windows.y, steps);
  const path = Array.from(x, (at, step) => ({ at_ms: shot.start_ms + step * step_ms, x: at, y: y[step]! }));
  return sources(isFaced, motion.length > 0 && isMoving, targets.length > 0, step_ms).flatMap(
    ({ first, last, source }) =>
      spansAlong(
        { start_ms: Math.round(path[first]!.at_ms), end_ms: Math.round(path[last]!.at_ms) },
        path.slice(first, last + 1),
        { source, confidence: confidenceOf(source === 'face' ? targets : motion) },
      ),
  );
}

/** A part of the subject may be outside of the previous extent of the whole subject by this share of the picture. */
const BESIDE = 0.025;
/** An extent of at least this share of the previous width counts as the whole subject. */
const ALL = 0.85;

/** Removes samples that show only a part of the subject, such as lips. They would move the frame to one side. */
function ofWholes(samples: readonly MotionSample[]): MotionSample[] {
  let last: Extent | undefined;
  return samples.filter(({ extent }) => {
    if (extent === undefined) return true;
    const isPart =
      last !== undefined &&
      extent.right - extent.left < ALL * (last.right - last.left) &&
      extent.left >= last.left - BESIDE &&
      extent.right <= last.right + BESIDE;
    if (!isPart) last = extent;
    return !isPart;
  });
}

/** A face sample counts for at most this many steps (two seconds), or until the next sample. */
const MAX_SAMPLE_STEPS = 10;

function nearTo(targets: readonly FaceTarget[], { shot, count, step_ms }: Steps, gap_ms: number): boolean[] {
  const isNear = new Array<boolean>(count).fill(false);
  for (const { at_ms } of targets) {
    const first = Math.ceil((at_ms - gap_ms - shot.start_ms) / step_ms);
    const last = Math.floor((at_ms + gap_ms - shot.start_ms) / step_ms);
    isNear.fill(true, Math.max(0, first), Math.min(count, last + 1));
  }
  return isNear;
}

interface Steps {
  readonly shot: Interval;
  readonly count: number;
  readonly step_ms: number;
}

/**
 * Computes the steady path of one coordinate. The observations of each step are averaged.
 * @param window the share of the picture that a narrow frame shows in this direction
 */
function followed(
  observations: readonly MotionSample[],
  side: 'x' | 'y',
  window: number,
  { shot, count, step_ms }: Steps,
) {
  const targets = new Float64Array(count);
  const weights = new Float64Array(count);
  const slacks = new Float64Array(count);
  for (const seen of observations) {
    const at = Math.min(count - 1, Math.round((seen.at_ms - shot.start_ms) / step_ms));
    const { target, slack } = aimAt(seen, side, window);
    targets[at]! += target * seen.weight;
    slacks[at]! += slack * seen.weight;
    weights[at]! += seen.weight;
  }
  for (let at = 0; at < count; at += 1) {
    const weight = weights[at]!;
    targets[at] = weight === 0 ? 0.5 : targets[at]! / weight;
    slacks[at] = weight === 0 ? 0 : slacks[at]! / weight;
  }
  rest(targets, weights, slacks);
  return steadyPath({ targets, weights, slacks, step_ms });
}

/** Returns a target for the frame's center that keeps the whole subject in the frame. For a wider subject, returns its middle. */
function aimAt(seen: MotionSample, side: 'x' | 'y', window: number): { target: number; slack: number } {
  const usual = SLACK * window;
  if (seen.extent === undefined) return { target: seen[side], slack: usual };
  const [from, until] =
    side === 'x' ? [seen.extent.left, seen.extent.right] : [seen.extent.top, seen.extent.bottom];
  const [low, high] = [until - window / 2, from + window / 2];
  const room = high - low;
  if (room <= 2 * usual) return { target: (from + until) / 2, slack: Math.max(0, room) / 2 };
  return { target: Math.min(high - usual, Math.max(low + usual, seen[side])), slack: usual };
}

/** The weight of a step in which the subject rests, relative to the weight of a step in which it was detected. */
const RESTING = 0.3;

/** Fills steps without observations with the last place of the subject. Their slack is 0, so that the camera also rests. */
function rest(targets: Float64Array, weights: Float64Array, slacks: Float64Array): void {
  let place = targets[weights.findIndex((weight) => weight > 0)]!;
  for (let at = 0; at < targets.length; at += 1) {
    if (weights[at]! > 0) place = targets[at]!;
    else [targets[at], weights[at], slacks[at]] = [place, RESTING, 0];
  }
}

interface Run {
  readonly first: number;
  readonly last: number;
  readonly source: 'face' | 'motion';
}

/** The minimum duration of a run of steps that follow either faces or motion. Shorter runs become part of their neighbors. */
const MIN_RUN_MS = 2000;

function sources(isFaced: readonly boolean[], isMoving: boolean, hasFaces: boolean, step_ms: number): Run[] {
  const last = isFaced.length - 1;
  if (!isMoving || !hasFaces) return [{ first: 0, last, source: hasFaces ? 'face' : 'motion' }];
  const runs: Run[] = [];
  for (const [at, faced] of isFaced.entries()) {
    const source = faced ? 'face' : 'motion';
    const before = runs.at(-1);
    if (before === undefined) runs.push({ first: 0, last: at, source });
    else if (before.source === source) runs.splice(-1, 1, { ...before, last: at });
    else runs.push({ first: at - 1, last: at, source });
  }
  const isLong = (run: Run) => (run.last - run.first) * step_ms >= MIN_RUN_MS;
  const long = runs.filter(isLong);
  if (long.length === 0) return [{ first: 0, last, source: 'face' }];
  return long
    .filter((run, at) => run.source !== long[at - 1]?.source)
    .map((run, at, kept) => ({ ...run, first: at === 0 ? 0 : run.first, last: kept[at + 1]?.first ?? last }));
}

function confidenceOf(samples: readonly ({ readonly confidence: number } | { readonly weight: number })[]) {
  if (samples.length === 0) return null;
  const sum = samples.reduce(
    (all, sample) => all + ('confidence' in sample ? sample.confidence : sample.weight),
    0,
  );
  return Math.round((sum / samples.length) * 100) / 100;
}
