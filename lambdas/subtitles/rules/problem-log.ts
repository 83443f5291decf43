/** Collects what a reader could not take, with the line it stands on. */

import type { CueProblem } from './cue.ts';

export class ProblemLog {
  readonly problems: CueProblem[] = [];
  readonly #text: string;
  #line = 1;
  #counted = 0;

  /** Takes a text whose line ends are all `\n`. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Offsets must not go down from one call to the next, so that a file full of problems is counted once. */
  add(offset: number, message: string): void {
    for (let end = this.#text.indexOf('\n', this.#counted); end !== -1 && end < offset; ) {
      this.#line++;
      this.#counted = end + 1;
      end = this.#text.indexOf('\n', this.#counted);
    }
    this.problems.push({ line: this.#line, message });
  }
}
