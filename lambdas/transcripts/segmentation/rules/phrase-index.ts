/** An index of phrases by their words. A lookup does not slow down with the number of phrases that begin alike. */

interface Branch<Value> {
  readonly next: Map<string, Branch<Value>>;
  readonly values: Value[];
}

export interface StandingPhrase<Value> {
  readonly length: number;
  readonly values: readonly Value[];
}

const branch = <Value>(): Branch<Value> => ({ next: new Map(), values: [] });

export class Phrases<Value> {
  readonly #root = branch<Value>();

  /** @param words normalized for comparison. A phrase without words is never found. */
  add(words: readonly string[], value: Value): void {
    if (words.length === 0) return;
    let at = this.#root;
    for (const word of words) {
      let next = at.next.get(word);
      if (next === undefined) {
        next = branch();
        at.next.set(word, next);
      }
      at = next;
    }
    at.values.push(value);
  }

  /** The phrases that begin at a word, the shortest first. @param wordAt returns that word for 0, then the words after it */
  standing(wordAt: (offset: number) => string | undefined): StandingPhrase<Value>[] {
    const found: StandingPhrase<Value>[] = [];
    let at: Branch<Value> | undefined = this.#root;
    for (let length = 1; ; length += 1) {
      const word = wordAt(length - 1);
      at = word === undefined ? undefined : at.next.get(word);
      if (at === undefined) return found;
      if (at.values.length > 0) found.push({ length, values: at.values });
    }
  }
}
