/** Whether a version lies in a range as advisories of npm write it: `>=1.0.0 <1.2.3 || <0.5.1`. */

type Comparison = (order: number) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '': (order) => order === 0,
};

/** @throws Error for a range of another form, so that none is passed over */
export function isIn(version: string, range: string): boolean {
  return range.split('||').some((all) =>
    all
      .trim()
      .replace(/([<>=])\s+/g, '$1')
      .split(/\s+/)
      .every((one) => holds(version, one)),
  );
}

function holds(version: string, comparator: string): boolean {
  if (comparator === '*') return true;
  const [, operator, bound] = /^([<>]?=?)v?(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(comparator) ?? [];
  if (bound === undefined) throw new Error(`The range ${JSON.stringify(comparator)} is of no known form`);
  return comparisons[operator!]!(order(version, bound));
}

/** Semantic Versioning 2.0.0, §11: a pre-release comes before its release; build metadata do not count. */
function order(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  for (const at of [0, 1, 2]) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at]! - b.numbers[at]!;
  }
  if (a.before === '' || b.before === '') return Number(a.before === '') - Number(b.before === '');
  return compared(a.before.split('.'), b.before.split('.'));
}

function parts(version: string) {
  const [, numbers, before = ''] = /^(\d+\.\d+\.\d+)(?:-([\w.-]+))?/.exec(version) ?? [];
  if (numbers === undefined) throw new Error(`${JSON.stringify(version)} is no version`);
  return { numbers: numbers.split('.').map(Number), before };
}

function compared(one: readonly string[], other: readonly string[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at];
    if (b === undefined) return 1;
    if (a === b) continue;
    const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
    if (areNumbers) return Number(a) - Number(b);
    // A number comes before a word.
    if (/^\d+$/.test(a) !== /^\d+$/.test(b)) return /^\d+$/.test(a) ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return one.length - other.length;
}
