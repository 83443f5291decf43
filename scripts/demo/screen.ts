/** The demo's output: progress bars on a terminal, plain lines elsewhere. */

const isTerminal = process.stdout.isTTY === true;
const WIDTH = 30;

export const line = (text: string) => console.log(text);

/** Draws a progress bar over the previous bar. Prints nothing without a terminal; `done` prints the result. */
export function bar(label: string, fraction: number, readyAt: string | null = null): void {
  if (!isTerminal) return;
  const percent = String(Math.round(fraction * 100)).padStart(3);
  process.stdout.write(
    `\r\x1b[2K${label.padEnd(26)} ${barOf(fraction)} ${percent} %${timeLeft(readyAt, Date.now())}`,
  );
}

function barOf(fraction: number): string {
  const full = Math.round(Math.min(1, fraction) * WIDTH);
  return '█'.repeat(full) + '░'.repeat(WIDTH - full);
}

/** Returns the remaining time as text, such as ", 3 min left". The minimum is one second. Empty if the end is unknown. */
export function timeLeft(readyAt: string | null, now: number): string {
  if (readyAt === null) return '';
  const seconds = Math.max(1, Math.round((Date.parse(readyAt) - now) / 1000));
  return seconds < 90 ? `, ${seconds} s left` : `, ${Math.round(seconds / 60)} min left`;
}

export function done(label: string, text: string): void {
  if (isTerminal) process.stdout.write('\r\x1b[2K');
  console.log(`${label}: ${text}`);
}

export class Stopwatch {
  readonly #steps: { name: string; seconds: number }[] = [];

  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#steps.push({ name, seconds: (performance.now() - started) / 1000 });
    }
  }

  summary(): string {
    return this.#steps.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(' · ');
  }
}
