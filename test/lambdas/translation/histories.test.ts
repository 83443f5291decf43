/**
 * Random histories of a transcription and its translation: people edit both, and jobs translate again. The engine
 * writes the same words in capitals, and no word occurs twice, so each lost word is found.
 *
 *     RUNS=5000 vitest run test/lambdas/translation/histories.test.ts
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Content,
  coveredBy,
  idsOf,
  isBehind,
  missingFrom,
  omittedByHand,
} from '../../../lambdas/transcripts/lineage/rules/missing.ts';
import { confirmEdited, staleness } from '../../../lambdas/transcripts/lineage/rules/staleness.ts';
import {
  joinSegments,
  splitSegment,
  withoutSegment,
} from '../../../lambdas/transcripts/segments/rules/cut-segments.ts';
import {
  changedSegments,
  newSegments,
  withNewSegments,
} from '../../../lambdas/transcripts/segments/rules/edit-segments.ts';
import { keptIn } from '../../../lambdas/translation/rules/protected-words.ts';
import {
  omittedAfter,
  originalsOf,
  planTranslation,
  translatedSegments,
  withRetranslated,
} from '../../../lambdas/translation/rules/translated-segments.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { Covered, Segment } from '../../../shared/segments.ts';
import { segment } from '../subtitles/speech.ts';

const edits = ['write', 'move', 'split', 'merge', 'delete', 'create', 'restore'] as const;
const numbers = { a: fc.nat(1000), b: fc.nat(1000) };
const onOriginal = fc.record({
  side: fc.constant('original' as const),
  act: fc.constantFrom(...edits),
  ...numbers,
});
const onTranslation = fc.record({
  side: fc.constant('translation' as const),
  act: fc.constantFrom(...edits),
  ...numbers,
});
const job = fc.record({
  side: fc.constant('job' as const),
  act: fc.constantFrom('whole', 'stale', 'missing', 'behind', 'random'),
  ...numbers,
});
interface Edit {
  readonly act: (typeof edits)[number];
  readonly a: number;
  readonly b: number;
}

const made = { transcription_id: 't', created_at: '2026-11-21T09:00:00.000Z', language: 'es' };
const none = keptIn([]);
const keyOf = (one: Covered) => `${one.original_segment_id} ${one.sentences}`;
const wordsOf = (all: readonly Segment[]) =>
  new Set(all.flatMap(({ text }) => text.match(/[A-Za-z0-9]+/g) ?? []));

class History {
  words = 0;
  ids = 0;
  original: readonly Segment[];
  content: Content = { segments: [] };
  stale = false;
  readonly originals: (readonly Segment[])[];
  readonly contents: Content[];
  /** The originals whose translation a person wrote, confirmed or deleted, with their sentences at that time. */
  readonly touched = new Set<string>();

  constructor(ends: readonly boolean[]) {
    this.original = ends.map((isEnd, nth) =>
      segment(this.text(isEnd ? 0 : 1), nth * 2000, nth * 2000 + 1900, {
        segment_id: this.id(),
        speaker: 'Ana',
      }),
    );
    this.job(null);
    this.originals = [this.original];
    this.contents = [this.content];
  }

  id = () => `id${this.ids++}`;

  /** New words, in one sentence or two. The last one can go on in the next segment. */
  text(shape: number): string {
    const [one, two, three] = [0, 1, 2].map(() => `word${this.words++}`);
    return itemAt([`${one} ${two} ${three}.`, `${one} ${two}`, `${one}. ${two} ${three}`], shape % 3);
  }

  now = () => ({ segments: this.original, language: 'en' });
  all = () => originalsOf(this.now());
  missing = () => missingFrom(this.content, this.all().needed).map((each) => each.original_segment_id);
  /** The ids that a caller reads at stale segments. */
  staleIds(): string[] {
    const { origins } = this.all();
    const stale = this.content.segments.filter((each) => staleness(each, origins) !== null);
    return stale.map(({ original_segment_id }) => original_segment_id!);
  }

  job(ids: readonly string[] | null): void {
    const plan = planTranslation(this.now(), ids && new Set(ids), this.content);
    const texts = plan.sentences.map(({ text }) => text.toUpperCase());
    const fresh = translatedSegments(this.now(), plan, { texts, translation: made, names: none });
    const segments = withRetranslated(this.content.segments, this.now(), plan, fresh);
    this.content = { segments, omitted: omittedAfter(this.content, this.now(), plan, segments) };
    this.stale = isBehind(this.content, this.all());
  }

  runJob({ act, a, b }: { readonly act: string; readonly a: number; readonly b: number }): void {
    const known = [...this.all().origins.keys(), ...idsOf(this.content.segments)];
    const named = {
      stale: this.staleIds(),
      missing: this.missing(),
      behind: [...this.staleIds(), ...this.missing()],
      random: known.filter((_, nth) => (a * (nth + 3) + b) % 3 === 0),
    }[act];
    if (named?.length !== 0) this.job(named ?? null);
  }

  editOriginal({ act, a, b }: Edit): void {
    const next =
      act === 'restore'
        ? itemAt(this.originals, a % this.originals.length)
        : this.edited(this.original, { act, a, b }, null);
    if (next === null) return;
    this.original = next;
    this.originals.push(next);
    this.stale = act !== 'restore' || isBehind(this.content, this.all());
  }

  editTranslation({ act, a, b }: Edit): void {
    const before = this.content;
    const mayBeStale = this.stale || ['restore', 'delete', 'merge'].includes(act);
    if (act === 'restore') this.content = itemAt(this.contents, a % this.contents.length);
    else {
      const origin = this.original[b % Math.max(this.original.length, 1)]?.segment_id;
      const next = this.edited(before.segments, { act, a, b }, origin ?? null);
      if (next === null) return;
      const ids = new Set([before.segments[a % before.segments.length]?.segment_id ?? '']);
      const origins = mayBeStale ? this.all().origins : null;
      const segments = act === 'write' || act === 'move' ? confirmEdited(next, ids, origins) : next;
      this.content = { segments, omitted: omittedByHand(before, segments) };
      // To cut and to merge keeps all words.
      const isOther = act === 'delete' ? new Set(segments) : new Set(before.segments);
      const other = (act === 'delete' ? before.segments : segments).filter((one) => !isOther.has(one));
      if (act !== 'split' && act !== 'merge')
        for (const each of other.flatMap(coveredBy)) this.touched.add(keyOf(each));
    }
    if (mayBeStale) this.stale = isBehind(this.content, this.all());
    this.contents.push(this.content);
  }

  /** @param origin the original of a new segment */
  edited(
    segments: readonly Segment[],
    { act, a, b }: Edit,
    origin: string | null,
  ): readonly Segment[] | null {
    const at = a % Math.max(segments.length, 1);
    const [one, next] = segments.slice(at, at + 2);
    if (act === 'create') {
      const start_ms = (a % 40) * 500;
      const given = { start_ms, end_ms: start_ms + 900, text: this.text(b), speaker: 'Ana' };
      const named = origin === null ? given : { ...given, original_segment_id: origin };
      const around = { speakers: [], originals: new Set([origin ?? '']), idOf: this.id };
      return withNewSegments(segments, newSegments([named], around));
    }
    if (one === undefined) return null;
    const { segment_id: id, start_ms, end_ms, text } = one;
    switch (act) {
      case 'write':
        return changedSegments(segments, [{ id, pointer: '', text: this.text(b) }], []);
      case 'move':
        return changedSegments(segments, [{ id, pointer: '', end_ms: start_ms + 100 + b }], []);
      case 'split':
        if (!text.includes(' ') || end_ms - start_ms < 100) return null;
        return splitSegment(segments, id, { word: 1 }, this.id());
      case 'merge':
        return next === undefined ? null : joinSegments(segments, [id, next.segment_id], this.id());
      default:
        return withoutSegment(segments, id);
    }
  }

  /** The originals with a word that the translation lacks, although no person touched their translation. */
  lost(): string[] {
    const words = wordsOf(this.content.segments);
    const { origins } = this.all();
    const isTouched = ({ segment_id }: Segment) =>
      [origins.get(segment_id)!.sentences, null].some((sentences) =>
        this.touched.has(keyOf({ original_segment_id: segment_id, sentences })),
      );
    return this.original
      .filter((each) => !isTouched(each))
      .filter((each) => [...wordsOf([each])].some((word) => !words.has(word.toUpperCase())))
      .map(({ segment_id }) => segment_id);
  }
}

it('never loses an original: it is translated, stale or named as missing, and a job with these ids translates it', () => {
  const ends = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
  const steps = fc.array(fc.oneof(onOriginal, onTranslation, job), { maxLength: 14 });
  fc.assert(
    fc.property(ends, steps, (ends, steps) => {
      const history = new History(ends);
      for (const step of steps) {
        if (step.side === 'job') history.runJob(step);
        else if (step.side === 'original') history.editOriginal(step);
        else history.editTranslation(step);
        if (!history.stale)
          expect([history.missing(), history.staleIds(), history.lost()]).toEqual([[], [], []]);
      }
      for (let round = 0; round < 3 && isBehind(history.content, history.all()); round += 1)
        history.job([...history.staleIds(), ...history.missing()]);
      expect([history.staleIds(), history.missing(), history.lost()]).toEqual([[], [], []]);
    }),
    { numRuns: Number(process.env.RUNS ?? 300) },
  );
}, 300_000);
