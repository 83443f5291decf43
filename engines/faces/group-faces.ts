/** Tells people apart by points in a space in which faces of one person lie close together. */

export type Likeness = readonly number[];

/** Euclidean. */
export function distanceOf(one: Likeness, other: Likeness): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at]! - other[at]!) ** 2;
  return Math.sqrt(sum);
}

/** The mean of some, of which there is at least one. */
export function meanLikeness(all: readonly Likeness[]): number[] {
  return all[0]!.map((_, at) => all.reduce((sum, one) => sum + one[at]!, 0) / all.length);
}

interface Person {
  readonly members: number[];
  centre: Likeness;
}

/**
 * The number of the person of each, from 0 in the order in which they come first. Each joins the person whose centre is
 * nearest, if it is near enough; then persons whose centres turned out to be near are one.
 * @param near the greatest distance of one person's face from the centre of their faces
 */
export function personsByLikeness(all: readonly Likeness[], near: number): number[] {
  let persons: Person[] = [];
  for (const [at, likeness] of all.entries()) {
    const nearest = nearestOf(persons, likeness, near);
    if (nearest) join(nearest, [at], all);
    else persons.push({ members: [at], centre: likeness });
  }
  for (let before = -1; before !== persons.length; ) {
    before = persons.length;
    persons = joined(persons, all, near);
  }
  const numbers = new Array<number>(all.length);
  const inOrder = persons.toSorted((one, other) => Math.min(...one.members) - Math.min(...other.members));
  for (const [number, { members }] of inOrder.entries()) for (const at of members) numbers[at] = number;
  return numbers;
}

function joined(persons: readonly Person[], all: readonly Likeness[], near: number): Person[] {
  const kept: Person[] = [];
  for (const person of persons) {
    const nearest = nearestOf(kept, person.centre, near);
    if (nearest) join(nearest, person.members, all);
    else kept.push(person);
  }
  return kept;
}

function nearestOf(persons: readonly Person[], likeness: Likeness, near: number): Person | null {
  let nearest: Person | null = null;
  let least = near;
  for (const person of persons) {
    const distance = distanceOf(person.centre, likeness);
    if (distance > least) continue;
    least = distance;
    nearest = person;
  }
  return nearest;
}

function join(person: Person, members: readonly number[], all: readonly Likeness[]): void {
  person.members.push(...members);
  person.centre = meanLikeness(person.members.map((at) => all[at]!));
}
