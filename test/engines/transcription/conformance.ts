/** The conformance suite for transcription engines, and its configuration for an engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { covers, type EngineDeclaration } from '../../../engines/engine.ts';
import type {
  Interval,
  Piece,
  PieceProgress,
  TranscriptionEngine,
  TranscriptionRequest,
} from '../../../engines/transcription/port.ts';
import { languages } from '../../../shared/languages.ts';

export type Candidate = {
  engine: TranscriptionEngine;
  /** Speech in `language`, longer than two seconds. The engine must recognize some words. */
  duration_ms: number;
  samples: Uint8Array;
  /** The utterances. Default: the whole audio. */
  utterances?: readonly Interval[];
  language: string;
  /** A language that this engine does not support, or null if it supports all languages. */
  foreign: string | null;
};

const BYTES_PER_MS = 32;

export const requestFor = (
  { samples, language, utterances }: Pick<Candidate, 'samples' | 'language'> & Partial<Candidate>,
  overrides: Partial<TranscriptionRequest> = {},
): TranscriptionRequest => ({
  key: 't/demo/assets/1/derived/words/1/0',
  language,
  utterances: utterances ?? [{ start_ms: 0, end_ms: samples.length / BYTES_PER_MS }],
  readSamples: async ({ start_ms, end_ms }) =>
    samples.subarray(start_ms * BYTES_PER_MS, end_ms * BYTES_PER_MS),
  locate: async ({ index }) => `s3://media/pieces/${index}.wav`,
  ...overrides,
});

/** Calls the engine until the piece is done, as the state machine does, without waiting. */
export async function finish(
  engine: TranscriptionEngine,
  piece: Piece,
  request: TranscriptionRequest,
): Promise<Extract<PieceProgress, { status: 'done' }>> {
  for (let asked = 0; asked < 10; asked++) {
    const answer = await engine.transcribe(piece, request);
    if (answer.status === 'done') return answer;
    expect(answer.retry_after_s).toBeGreaterThan(0);
  }
  throw new Error('The engine never finishes.');
}

/** Sentences of three to eight seconds with pauses of half a second, and a long pause after the first minute. */
function speechOf(duration_ms: number): Interval[] {
  const utterances: Interval[] = [];
  for (let start_ms = 200; ; ) {
    const end_ms = start_ms + 3000 + ((start_ms * 7) % 5000);
    if (end_ms > duration_ms) return utterances;
    utterances.push({ start_ms, end_ms });
    start_ms = end_ms + (start_ms < 60_000 && end_ms >= 60_000 ? 600_000 : 500);
  }
}

/** @param skip the reason for a skip, or null */
export function describeConformance(
  declared: EngineDeclaration,
  setUp: () => Promise<Candidate>,
  skip: string | null = null,
): void {
  const title = `${declared.name} as a transcription engine${skip === null ? '' : ` (skipped: ${skip})`}`;
  describe.skipIf(skip !== null)(title, () => {
    let candidate: Candidate;
    beforeAll(async () => {
      candidate = await setUp();
    });
    const whole = (): Piece => ({ index: 0, start_ms: 0, end_ms: candidate.duration_ms });

    it('supports exactly its declared languages; with `any`, those that it finds at run time', () => {
      const { engine } = candidate;
      for (const { code } of languages) {
        if (declared.languages === 'any' && !engine.supports(code)) continue;
        expect(engine.supports(code), code).toBe(covers(declared.languages, code));
      }
    });

    it.each([1, 90_000, 3 * 3_600_000, 11 * 3_600_000])(
      'plans pieces that cover %i ms in order, without gap or overlap',
      async (duration_ms) => {
        const pieces = await candidate.engine.plan({ duration_ms, utterances: speechOf(duration_ms) });
        let covered = 0;
        pieces.forEach((piece, index) => {
          expect(piece).toMatchObject({ index, start_ms: covered });
          expect(piece.end_ms).toBeGreaterThan(piece.start_ms);
          covered = piece.end_ms;
        });
        expect(covered).toBe(duration_ms);
      },
    );

    it('splits no utterance, and makes at most as many pieces as an execution allows', async () => {
      const utterances = speechOf(12 * 3_600_000);
      const pieces = await candidate.engine.plan({ duration_ms: 12 * 3_600_000, utterances });
      expect(pieces.length).toBeLessThanOrEqual(700);
      for (const { end_ms: cut_ms } of pieces)
        expect(utterances.filter(({ start_ms, end_ms }) => start_ms < cut_ms && cut_ms < end_ms)).toEqual([]);
    });

    it('supports the language of this test, with and without a region', () => {
      const { engine, language } = candidate;
      expect(engine.supports(language)).toBe(true);
      expect(engine.supports(language.split('-')[0]!)).toBe(true);
    });

    it('returns words in order, within the piece, with a confidence from 0 to 1 or unknown, without blanks and noise marks', async () => {
      const { engine, duration_ms } = candidate;
      const { words, language } = await finish(engine, whole(), requestFor(candidate));
      expect(words.length).toBeGreaterThan(0);
      expect(language).toBe(candidate.language);
      let previous = 0;
      for (const word of words) {
        expect(word.text).toMatch(/^[^\s<>[\]()]+$/);
        expect(word.start_ms).toBeGreaterThanOrEqual(previous);
        expect(word.end_ms - word.start_ms).toBeGreaterThanOrEqual(30);
        expect(word.end_ms).toBeLessThanOrEqual(duration_ms);
        expect(Number.isInteger(word.start_ms) && Number.isInteger(word.end_ms)).toBe(true);
        expect(Number.isNaN(word.confidence) || (word.confidence >= 0 && word.confidence <= 1)).toBe(true);
        previous = word.start_ms;
      }
    });

    it('counts times from the start of the audio, not of the piece', async () => {
      const { engine, duration_ms, samples } = candidate;
      const later = { index: 3, start_ms: 500_000, end_ms: 500_000 + duration_ms };
      const request = requestFor(candidate, {
        key: 'later/3',
        utterances: requestFor(candidate).utterances.map(({ start_ms, end_ms }) => ({
          start_ms: 500_000 + start_ms,
          end_ms: 500_000 + end_ms,
        })),
        readSamples: async ({ start_ms, end_ms }) =>
          samples.subarray((start_ms - 500_000) * BYTES_PER_MS, (end_ms - 500_000) * BYTES_PER_MS),
      });
      const { words } = await finish(engine, later, request);
      const first = await finish(engine, whole(), requestFor(candidate));
      expect(words[0]!.start_ms).toBe(500_000 + first.words[0]!.start_ms);
    });

    it('reports progress, if it reports any, as fractions that rise to 1', async () => {
      const told: number[] = [];
      const onProgress = (fraction: number) => told.push(fraction);
      await finish(candidate.engine, whole(), requestFor(candidate, { key: 'told', onProgress }));
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      if (told.length > 0) expect(told.at(-1)).toBe(1);
    });

    it('returns the same words for the same key', async () => {
      const first = await finish(candidate.engine, whole(), requestFor(candidate));
      expect(await finish(candidate.engine, whole(), requestFor(candidate))).toEqual(first);
    });

    it('detects or assumes a language if none is given', async () => {
      const { engine } = candidate;
      expect(engine.supports(null)).toBe(true);
      const { language } = await finish(
        engine,
        whole(),
        requestFor(candidate, { language: null, key: 'unknown' }),
      );
      expect(language).toMatch(/^[a-z]{2,3}(-\w+)*$/);
    });

    it('rejects an unsupported language, and says which one and what to do', async () => {
      const { engine, foreign } = candidate;
      if (foreign === null) return expect(engine.supports('tlh')).toBe(true);
      expect(engine.supports(foreign)).toBe(false);
      await expect(
        engine.transcribe(whole(), requestFor(candidate, { language: foreign })),
      ).rejects.toMatchObject({
        code: 'language_unsupported',
        detail: expect.stringMatching(new RegExp(`"${foreign}".*(?:Set|Choose|Install)`)),
      });
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const canceled = new Error('canceled');
      const request = requestFor(candidate, { key: 'aborted', signal: AbortSignal.abort(canceled) });
      await expect(candidate.engine.transcribe(whole(), request)).rejects.toBe(canceled);
    });
  });
}
