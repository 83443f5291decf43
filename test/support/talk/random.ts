/** Random numbers that are the same for the same seed. */
export type Random = {
  between(low: number, high: number): number;
  /** An integer from 0 to `count`, exclusive. */
  whole(count: number): number;
  pick<T>(list: readonly T[]): T;
};

/** Mulberry32, by Tommy Ettinger (public domain): good enough for noise, and one line long. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (count: number) => Math.floor(next() * count);
  return {
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (list) => list[whole(list.length)]!,
  };
}
