/** Chooses the faces that a crop follows: as many as possible, and the same faces in consecutive samples. */
import type { Box } from '../../shared/boxes.ts';

export interface FaceSample {
  readonly at_ms: number;
  readonly faces: readonly { readonly box: Box; readonly confidence: number }[];
}

export interface FaceTarget {
  readonly at_ms: number;
  readonly x: number;
  readonly y: number;
  readonly confidence: number;
}

/**
 * Returns one target for each sample with a face. A group is a set of faces that fit a window (a share of the picture's width).
 * Large, central and certain faces make a group better. The target changes to another group only if that group is clearly better
 * over several samples (Viterbi's path through the groups).
 */
export function faceTargets(samples: readonly FaceSample[], window: number): FaceTarget[] {
  const seen = samples.filter(({ faces }) => faces.length > 0);
  const stages = seen.map(({ faces }) => groupsOf(faces, window));
  return bestPath(stages).map((group, at) => ({
    at_ms: seen[at]!.at_ms,
    x: group.x,
    y: group.y,
    confidence: group.confidence,
  }));
}

interface Group {
  readonly x: number;
  readonly y: number;
  readonly confidence: number;
  /** The worth of these faces, as a share of the worth of all faces in the picture, 0 to 1. */
  readonly worth: number;
}

type SeenFace = FaceSample['faces'][number];

/** Returns groups: each face with all faces to its right that fit the same window. Leaves out groups that are part of other groups. */
function groupsOf(faces: readonly SeenFace[], window: number): Group[] {
  const byLeft = faces.toSorted((one, other) => one.box.x - other.box.x);
  const all = byLeft.reduce((sum, face) => sum + worthOf(face), 0);
  const groups = byLeft.map(({ box }, first) => {
    const held = byLeft.filter((other, at) => at >= first && other.box.x + other.box.width <= box.x + window);
    return held.length === 0 ? [byLeft[first]!] : held;
  });
  return groups
    .filter((group, at) => at === 0 || group.at(-1) !== groups[at - 1]!.at(-1))
    .map((group) => groupOf(group, all));
}

/** The distance of the target below the middle of the faces, in face heights. With it, shoulders are visible. */
const LOWER = 0.4;

function groupOf(faces: readonly SeenFace[], all: number): Group {
  const left = Math.min(...faces.map(({ box }) => box.x));
  const right = Math.max(...faces.map(({ box }) => box.x + box.width));
  const top = Math.min(...faces.map(({ box }) => box.y));
  const low = Math.max(...faces.map(({ box }) => box.y + box.height));
  const tallest = Math.max(...faces.map(({ box }) => box.height));
  const worth = faces.reduce((sum, face) => sum + worthOf(face), 0);
  const confidence = faces.reduce((sum, face) => sum + face.confidence * worthOf(face), 0) / (worth || 1);
  return {
    x: (left + right) / 2,
    y: Math.min(1, (top + low) / 2 + LOWER * tallest),
    confidence,
    worth: all === 0 ? 1 : worth / all,
  };
}

/** Returns the worth of a face, which grows with its size. At the edge of the picture, a face has half the worth. */
function worthOf({ box, confidence }: SeenFace): number {
  const offCentre = Math.min(1, Math.abs(box.x + box.width / 2 - 0.5) * 2);
  return Math.sqrt(box.width * box.height) * confidence * (1 - offCentre / 2);
}

/** The cost of a change to another group. All faces of a picture together have a worth of 1. */
const CHANGE = 1;
/** The distance, in picture widths, from which on a change of group has its full cost. A change over a shorter distance costs less. */
const ELSEWHERE = 0.2;

function bestPath(stages: readonly (readonly Group[])[]): Group[] {
  let costs = stages[0]?.map(({ worth }) => -worth) ?? [];
  const from: number[][] = [];
  for (let at = 1; at < stages.length; at += 1) {
    const before = stages[at - 1]!;
    const steps = stages[at]!.map((group) => {
      const ways = before.map((other, way) => {
        const apart = Math.min(1, Math.abs(group.x - other.x) / ELSEWHERE);
        return costs[way]! + CHANGE * apart - group.worth;
      });
      const cost = Math.min(...ways);
      return { cost, way: ways.indexOf(cost) };
    });
    costs = steps.map(({ cost }) => cost);
    from.push(steps.map(({ way }) => way));
  }
  const path: Group[] = [];
  let last = costs.indexOf(Math.min(...costs));
  for (let at = stages.length - 1; at >= 0; at -= 1) {
    path.unshift(stages[at]![last]!);
    last = from[at - 1]?.[last] ?? 0;
  }
  return path;
}
