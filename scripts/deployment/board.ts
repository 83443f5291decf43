/** What a long command shows: on a terminal a block of lines that is drawn again in place, elsewhere a line a change. */
import { barOf } from '../demo/screen.ts';
import { lineOf, type StackProgress } from './progress.ts';
import { cureOf } from './reasons.ts';

export interface Screen {
  readonly isTerminal: boolean;
  write(text: string): void;
}

export const standardOutput: Screen = {
  isTerminal: process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
};

/** Elsewhere than on a terminal, a stack that is at work says so every half a minute. */
const REPEAT_MS = 30_000;

export class Board {
  readonly #screen: Screen;
  readonly #environment: string;
  readonly #now: () => number;
  /** Lines that the block takes on the terminal. */
  #drawn = 0;
  #block = '';
  readonly #said = new Map<string, { state: string; at: number; failures: number }>();

  constructor(environment: string, screen: Screen = standardOutput, now: () => number = Date.now) {
    this.#environment = environment;
    this.#screen = screen;
    this.#now = now;
  }

  /** A line that stays, above the block. */
  line(text: string): void {
    this.#clear();
    this.#screen.write(`${text}\n`);
  }

  /** The stacks as they are now, which stays once all are done; what has failed since is said in lines that stay. */
  show(all: readonly StackProgress[]): void {
    for (const progress of all) this.#tell(progress);
    if (!this.#screen.isTerminal) return;
    const block = all.map((progress) => `${lineOf(progress, barOf)}\n`).join('');
    if (block === this.#block) return;
    this.#clear();
    this.#screen.write(block);
    this.#block = block;
    const isOver = all.every(({ state }) => state === 'done' || state === 'failed');
    this.#drawn = isOver ? 0 : all.length;
  }

  /** What is drawn stays as it is. */
  end(): void {
    this.#drawn = 0;
  }

  #tell(progress: StackProgress): void {
    const { stack, state, failures } = progress;
    const before = this.#said.get(stack) ?? { state: 'waiting', at: 0, failures: 0 };
    for (const { resource, type, reason } of failures.slice(before.failures)) {
      this.line(`✗ ${stack}: ${resource} (${type}): ${reason}`);
      this.line(`  → ${cureOf(reason, this.#environment)}`);
    }
    const isDue = state !== before.state || this.#now() - before.at >= REPEAT_MS;
    const isQuiet = state === before.state && state !== 'working' && state !== 'returning';
    if (!this.#screen.isTerminal && isDue && !isQuiet) this.line(lineOf(progress, barOf));
    const at = isDue ? this.#now() : before.at;
    this.#said.set(stack, { state, at, failures: failures.length });
  }

  #clear(): void {
    if (this.#drawn > 0) this.#screen.write(`\x1b[${this.#drawn}A\x1b[0J`);
    this.#drawn = 0;
    this.#block = '';
  }
}
