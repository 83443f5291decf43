/** Collects the problems that a reader finds, with their line numbers. */
import type { CueProblem } from './cue.ts';

export class ProblemLog {
  readonly problems: CueProblem[] = [];
  readonly #text: string;
  #line = 1;
  #counted = 0;

  /** The text must have only `\n` line ends. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Offsets must not decrease from call to call, so that each line is counted only once. */
  add(offset: number, message: string): void {
    for (let end = this.#text.indexOf('\n', this.#counted); end !== -1 && end < offset; ) {
      this.#line++;
      this.#counted = end + 1;
      end = this.#text.indexOf('\n', this.#counted);
    }
    this.problems.push({ line: this.#line, message });
  }
}
