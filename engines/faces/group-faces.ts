/** Groups face embeddings by person. An embedding is a point in a space where faces of one person are close together. */
export type Likeness = readonly number[];

export function distanceOf(one: Likeness, other: Likeness): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at]! - other[at]!) ** 2;
  return Math.sqrt(sum);
}

export function meanLikeness(all: readonly Likeness[]): number[] {
  return all[0]!.map((_, at) => all.reduce((sum, one) => sum + one[at]!, 0) / all.length);
}

interface Person {
  readonly members: number[];
  center: Likeness;
}

/**
 * Returns the number of each face's person, in the order of their first faces. @param near the maximum distance of a face from its
 * person's center
 */
export function groupFaces(all: readonly Likeness[], near: number): number[] {
  let persons = all.map((center, at): Person => ({ members: [at], center }));
  for (let before = -1; before !== persons.length; ) {
    before = persons.length;
    persons = mergeNear(persons, all, near);
  }
  const numbers = new Array<number>(all.length);
  const inOrder = persons.toSorted((one, other) => Math.min(...one.members) - Math.min(...other.members));
  for (const [number, { members }] of inOrder.entries()) for (const at of members) numbers[at] = number;
  return numbers;
}

function mergeNear(persons: readonly Person[], all: readonly Likeness[], near: number): Person[] {
  const kept: Person[] = [];
  for (const person of persons) {
    const nearest = nearestOf(kept, person.center, near);
    if (nearest === null) kept.push(person);
    else {
      nearest.members.push(...person.members);
      nearest.center = meanLikeness(nearest.members.map((at) => all[at]!));
    }
  }
  return kept;
}

function nearestOf(persons: readonly Person[], likeness: Likeness, near: number): Person | null {
  let nearest: Person | null = null;
  let least = near;
  for (const person of persons) {
    const distance = distanceOf(person.center, likeness);
    if (distance > least) continue;
    least = distance;
    nearest = person;
  }
  return nearest;
}
