/** Computes the path of a camera that follows a subject, but moves as little as a camera on a tripod. */
export interface Followed {
  /** The place of the subject at each step, 0 to 1. */
  readonly targets: Float64Array;
  /** The cost of a step in which the subject is outside the slack; 0 if the place of the subject is unknown. */
  readonly weights: Float64Array;
  /** The distance of the subject from the center of the frame up to which the camera does not follow. */
  readonly slacks: Float64Array;
  readonly step_ms: number;
}

/** The maximum speed, in picture widths a second. A move across the whole picture takes at least two seconds. */
const MAX_VELOCITY = 0.5;
/** The maximum acceleration, in picture widths per second². At 1920 pixels and 25 frames a second, the speed changes by up to 1.5 pixels a frame. */
export const MAX_ACCELERATION = 0.5;

/** The cost of a move by a picture width. It is lower than the cost of one second with the subject outside the slack. */
const MOVING = 0.25;
/** The cost of a change of speed by one picture width a step. It makes pans even and rare. */
const TURNING = 0.4;

/**
 * Minimizes the subject's distance from the slack, the length of the path and its changes of speed, within the limits of speed and
 * acceleration. This is the camera path of Grundmann, Kwatra and Essa, "Auto-Directed Video Stabilization with Robust L1 Optimal
 * Camera Paths" (2011), solved by the alternating direction method of multipliers. The path is planned with knowledge of later
 * steps, so it moves when the subject moves. It is still for seconds, or moves evenly. The time is linear in the number of steps.
 */
export function steadyPath({ targets, weights, slacks, step_ms }: Followed): Float64Array {
  const count = targets.length;
  const seconds = step_ms / 1000;
  const path = filled(targets, weights);
  const place = multiplier(count);
  const speed = multiplier(count - 1);
  const turn = multiplier(Math.max(0, count - 2));
  const solve = factored(count);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = 0; at < count; at += 1) {
      const wish = path[at]! + place.dual[at]!;
      place.value[at] = within(pulled(wish, targets[at]!, slacks[at]!, weights[at]! / PLACE), 0, 1);
      place.dual[at] = wish - place.value[at]!;
    }
    for (let at = 0; at + 1 < count; at += 1) {
      const wish = path[at + 1]! - path[at]! + speed.dual[at]!;
      speed.value[at] = bounded(wish, MOVING / SPEED, MAX_VELOCITY * seconds);
      speed.dual[at] = wish - speed.value[at]!;
    }
    for (let at = 0; at + 2 < count; at += 1) {
      const wish = path[at + 2]! - 2 * path[at + 1]! + path[at]! + turn.dual[at]!;
      turn.value[at] = bounded(wish, TURNING / TURN, MAX_ACCELERATION * seconds * seconds);
      turn.dual[at] = wish - turn.value[at]!;
    }
    solve(path, place, speed, turn);
  }
  return path.map((at) => within(at, 0, 1));
}

/** The number of iterations. They make the path exact to a thousandth of the picture. More iterations make no visible difference. */
const ROUNDS = 400;
/** The penalty weights of places, speeds and changes of speed. They differ because these values have different magnitudes. */
const [PLACE, SPEED, TURN] = [2, 60, 1200];

type Multiplier = ReturnType<typeof multiplier>;

const multiplier = (length: number) => ({
  value: new Float64Array(Math.max(0, length)),
  dual: new Float64Array(Math.max(0, length)),
});

/** The initial path: the targets, linearly interpolated where they are unknown. */
function filled(targets: Float64Array, weights: Float64Array): Float64Array {
  const path = Float64Array.from(targets);
  let last = -1;
  for (let at = 0; at < path.length; at += 1) {
    if (weights[at] === 0) continue;
    for (let gap = last + 1; gap < at; gap += 1) {
      const share = last === -1 ? 1 : (gap - last) / (at - last);
      path[gap] = last === -1 ? path[at]! : path[last]! + (path[at]! - path[last]!) * share;
    }
    last = at;
  }
  if (last !== -1) path.fill(path[last]!, last + 1);
  return path;
}

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Moves the value towards the target by at most `by`, but not beyond the edge of the slack. */
function pulled(value: number, target: number, slack: number, by: number): number {
  const off = value - target;
  const beyond = Math.abs(off) - slack;
  return beyond <= 0 ? value : value - Math.sign(off) * Math.min(beyond, by);
}

/** Soft threshold: moves the value towards 0 by `threshold`, so that small values become 0. Limits the result to ±`bound`. */
const bounded = (value: number, threshold: number, bound: number) =>
  Math.sign(value) * Math.min(bound, Math.max(0, Math.abs(value) - threshold));

/** Returns a solver that finds the path nearest to all copies of its values. Its matrix has five diagonals and is factored once (LDLᵀ). */
function factored(count: number) {
  const diagonal = new Float64Array(count).fill(PLACE);
  const one = new Float64Array(count);
  const two = new Float64Array(count);
  for (let at = 0; at + 1 < count; at += 1) {
    diagonal[at]! += SPEED;
    diagonal[at + 1]! += SPEED;
    one[at]! -= SPEED;
  }
  for (let at = 0; at + 2 < count; at += 1) {
    diagonal[at]! += TURN;
    diagonal[at + 1]! += 4 * TURN;
    diagonal[at + 2]! += TURN;
    one[at]! -= 2 * TURN;
    one[at + 1]! -= 2 * TURN;
    two[at]! += TURN;
  }
  // Factors in place: `one` and `two` become the factors below the diagonal.
  for (let at = 0; at < count; at += 1) {
    if (at + 1 < count) {
      const factor = one[at]! / diagonal[at]!;
      diagonal[at + 1]! -= factor * one[at]!;
      if (at + 2 < count) one[at + 1]! -= factor * two[at]!;
      one[at] = factor;
    }
    if (at + 2 < count) {
      const factor = two[at]! / diagonal[at]!;
      diagonal[at + 2]! -= factor * two[at]!;
      two[at] = factor;
    }
  }
  return (path: Float64Array, place: Multiplier, speed: Multiplier, turn: Multiplier) => {
    for (let at = 0; at < count; at += 1) path[at] = PLACE * (place.value[at]! - place.dual[at]!);
    for (let at = 0; at + 1 < count; at += 1) {
      const wanted = SPEED * (speed.value[at]! - speed.dual[at]!);
      path[at]! -= wanted;
      path[at + 1]! += wanted;
    }
    for (let at = 0; at + 2 < count; at += 1) {
      const wanted = TURN * (turn.value[at]! - turn.dual[at]!);
      path[at]! += wanted;
      path[at + 1]! -= 2 * wanted;
      path[at + 2]! += wanted;
    }
    for (let at = 0; at < count; at += 1) {
      if (at > 0) path[at]! -= one[at - 1]! * path[at - 1]!;
      if (at > 1) path[at]! -= two[at - 2]! * path[at - 2]!;
    }
    for (let at = count - 1; at >= 0; at -= 1) {
      path[at]! /= diagonal[at]!;
      if (at + 1 < count) path[at]! -= one[at]! * path[at + 1]!;
      if (at + 2 < count) path[at]! -= two[at]! * path[at + 2]!;
    }
  };
}
