/** A map whose keys are sorted as in the lists of S3: by their UTF-8 bytes. */
export class SortedKeys<V> {
  #keys: string[];
  readonly #values: Map<string, V>;

  constructor(entries: Iterable<[string, V]> = []) {
    this.#values = new Map(entries);
    this.#keys = [...this.#values.keys()].sort(compareUtf8);
  }

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    if (!this.#values.has(key))
      this.#keys.splice(
        this.#indexOf((each) => compareUtf8(each, key) >= 0),
        0,
        key,
      );
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key))
      this.#keys.splice(
        this.#indexOf((each) => compareUtf8(each, key) >= 0),
        1,
      );
  }

  /** Returns the first key that is equal to `key` or after it. */
  atOrAfter(key: string): string | undefined {
    return this.#keys[this.#indexOf((each) => compareUtf8(each, key) >= 0)];
  }

  after(key: string): string | undefined {
    return this.#keys[this.#indexOf((each) => compareUtf8(each, key) > 0)];
  }

  /** Returns the first key after all keys that start with `prefix`. */
  afterPrefix(prefix: string): string | undefined {
    return this.#keys[this.#indexOf((each) => !each.startsWith(prefix) && compareUtf8(each, prefix) > 0)];
  }

  values(): IterableIterator<V> {
    return this.#values.values();
  }

  /** Returns the index of the first key for which `isAtOrBeyond` is true. It must also be true for all later keys. */
  #indexOf(isAtOrBeyond: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAtOrBeyond(this.#keys[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Compares strings by their UTF-8 bytes. This is the order of UTF-16, except that surrogates come after U+E000 to U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
}

function utf8Rank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isSurrogate ? unit + 0x10000 : unit;
}
