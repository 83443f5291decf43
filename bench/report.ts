/** The result of a benchmark, for bench/run.ts. */
import { itemAt } from '../shared/checked-access.ts';
export interface Row {
  readonly name: string;
  /** Values in the order of the report's columns, already rounded. */
  readonly values: readonly (string | number)[];
}

export interface Report {
  readonly title: string;
  /** Description of the comparison, and of its limits. */
  readonly method: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The reason why these figures must not be used. Null if they may be used. */
  readonly void: string | null;
}

export interface Benchmark {
  run(): Promise<Report>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? itemAt(sorted, middle)
    : (itemAt(sorted, middle - 1) + itemAt(sorted, middle)) / 2;
}

/** Shuffles with the algorithm of Fisher and Yates. @param random returns numbers from 0 to 1 */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [itemAt(order, other), itemAt(order, last)];
  }
  return order;
}
