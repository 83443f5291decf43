/** Splits, merges and removes segments. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/segments.ts';
import { defined, itemAt, lastOf } from '../../../../shared/checked-access.ts';
import { Inconsistent, NotFound } from '../../../../shared/problems.ts';
import type { Segment, Word } from '../../../../shared/segments.ts';
import { splitAfter } from '../../../subtitles/rules/break-costs.ts';
import { isUnspaced, needsSpace } from '../../../subtitles/rules/script.ts';
import { type SpokenAtom, spokenAtoms } from '../../../subtitles/rules/spoken-atoms.ts';
import { writtenText } from '../../../subtitles/rules/text.ts';
import { coveredBy } from '../../lineage/rules/missing.ts';
import { confidenceOf } from '../../segmentation/rules/confidence.ts';
import { isBlank, refuse, refuseUnknown } from './edit-segments.ts';
import { wordsOfText } from './fit-words.ts';

/**
 * The place of a cut, in exactly one of these fields. A time counts from the start of the media. The text is cut
 * between the words nearest to that time. Characters are Unicode characters. A letter and its marks stay together. A
 * cut within a word moves to the end of the word. A cut within the last word moves to the start of that word. A text of
 * one word is cut within the word.
 */
export type Cut = Static<typeof contract.splitSegment.body>;

interface Parts {
  readonly texts: readonly [string, string];
  readonly end_ms: number;
  readonly start_ms: number;
}

/** The contract's limit for texts. */
const MAX_TEXT = 5000;
/** The shortest part: a frame at 25 frames a second. */
const SHORTEST_MS = 40;

/**
 * Splits a segment. The first part keeps the id, and the second part has `newId`. Each part keeps the speaker and the
 * words within its times. After a cut at a time, both parts have set times.
 */
export function splitSegment(segments: readonly Segment[], id: string, cut: Cut, newId: string): Segment[] {
  return segments.flatMap((segment) => {
    if (segment.segment_id !== id) return [segment];
    const { texts, end_ms, start_ms } = partsOf(segment, cut);
    const isFirst = ({ start_ms: from, end_ms: to }: Word) => from + to < end_ms + start_ms;
    const timing = cut.time_ms === undefined ? {} : ({ timing: 'set' } as const);
    const first = { ...segment, ...timing, end_ms, text: texts[0] };
    const second = { ...segment, ...timing, segment_id: newId, start_ms, text: texts[1] };
    return [withOwnWords(first, isFirst), withOwnWords(second, (word) => !isFirst(word))];
  });
}

/**
 * Merges neighboring segments into one with `newId`, from the first start to the last end. If the speakers differ, the
 * text of each begins on a new line with a dash, and the merged segment has no speaker.
 */
export function joinSegments(segments: readonly Segment[], ids: readonly string[], newId: string): Segment[] {
  const places = placesOf(segments, ids);
  const parts = segments.slice(places[0], lastOf(places) + 1);
  const first = itemAt(parts, 0);
  const isOneVoice = parts.every((part) => isSaidBy(first, part));
  const text = isOneVoice ? textTogether(parts) : asDialogue(parts);
  const start_ms = first.start_ms;
  const end_ms = Math.max(...parts.map((part) => part.end_ms));
  const tooLong = `The texts have more than ${MAX_TEXT} characters together.`;
  if (text.length > MAX_TEXT) refuse([{ pointer: '/segment_ids', code: 'too_long', detail: tooLong }]);
  const words = wordsTogether(parts.map((part) => part.words));
  const isEdited = parts.some((part) => part.heard !== undefined);
  const translated = parts.find((part) => part.original_segment_id !== null);
  const id = translated?.original_segment_id ?? null;
  const joined = [...new Map(parts.flatMap(coveredBy).map((one) => [one.original_segment_id, one])).values()];
  const others = joined.filter(({ original_segment_id }) => original_segment_id !== id);
  const merged: Segment = {
    ...first,
    segment_id: newId,
    original_segment_id: id,
    ...(translated?.made_of && { made_of: translated.made_of }),
    ...(others.length > 0 && { joined: others }),
    start_ms,
    end_ms,
    ...(parts.some(({ timing }) => timing === 'set') && { timing: 'set' }),
    text,
    confidence: parts.some((part) => part.confidence === null)
      ? null
      : confidenceOf(parts.flatMap((part) => part.words)),
    words,
    ...(isEdited && { heard: wordsTogether(parts.map((part) => part.heard ?? part.words)) }),
    ...(!isOneVoice && { speaker: null, speaker_id: null }),
  };
  return segments.toSpliced(itemAt(places, 0), parts.length, merged);
}

/** Removes a segment. Throws resource_not_found if the segment does not exist. */
export function withoutSegment(segments: readonly Segment[], id: string): Segment[] {
  const rest = segments.filter(({ segment_id }) => segment_id !== id);
  if (rest.length === segments.length) throw new NotFound('segment', id);
  return rest;
}

function partsOf(segment: Segment, cut: Cut): Parts {
  const { start_ms, end_ms } = segment;
  const given = Object.entries(cut).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const detail = 'Give exactly one of time_ms, word and character.';
  if (given.length !== 1) refuse([{ pointer: '', code: 'exactly_one', detail }]);
  const cannot = (code: string, detail: string): never => {
    throw new Inconsistent([{ pointer: `/${given[0]}`, code, detail }]);
  };
  if (end_ms - start_ms < 2 * SHORTEST_MS) cannot('too_small', 'The segment is too short to be cut.');
  const inside = (ms: number) => Math.min(Math.max(ms, start_ms + SHORTEST_MS), end_ms - SHORTEST_MS);
  const partedAt = (ms: number, texts: Parts['texts']): Parts => ({ texts, end_ms: ms, start_ms: ms });

  const atoms = spokenAtoms(segment);
  if (cut.character !== undefined) {
    const texts = textsAt(segment.text, cut.character);
    if (texts.some(isBlank)) cannot('too_large', 'Both parts must have text.');
    return partedAt(inside(timeOfLetter(atoms, lettersOf(texts[0]))), texts);
  }

  if (atoms.length < 2) cannot('too_large', 'The segment has one word. Cut it at a character.');
  if (cut.time_ms !== undefined) {
    const at = cut.time_ms;
    const shortest = `each part must last at least ${SHORTEST_MS} ms.`;
    if (at < inside(at)) cannot('too_small', `The segment begins at ${start_ms}, and ${shortest}`);
    if (at > inside(at)) cannot('too_large', `The segment ends at ${end_ms}, and ${shortest}`);
    const before = atoms.filter((atom) => (atom.start_ms + atom.end_ms) / 2 < at).length;
    const stay = Math.min(Math.max(before, 1), atoms.length - 1);
    return partedAt(at, textsAfter(segment.text, atoms, stay));
  }

  const stay = defined(cut.word);
  if (stay >= atoms.length)
    cannot('too_large', `The segment has ${atoms.length} words. The second part needs at least one.`);
  const texts = textsAfter(segment.text, atoms, stay);
  const [last, next] = [itemAt(atoms, stay - 1), itemAt(atoms, stay)];
  const isApart = last.end_ms - start_ms >= SHORTEST_MS && end_ms - next.start_ms >= SHORTEST_MS;
  if (segment.timing === 'set' || !isApart)
    return partedAt(inside(Math.round((last.end_ms + next.start_ms) / 2)), texts);
  return { texts, end_ms: inside(last.end_ms), start_ms: inside(next.start_ms) };
}

/** Cuts a text after this many characters, but never within a word or a letter with its marks, if there are several words. */
function textsAt(text: string, characters: number): [string, string] {
  const units = [...text].slice(0, characters).join('').length;
  let at = 0;
  for (const { index, segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) {
    if (index + segment.length > units) break;
    at = index + segment.length;
  }
  const cut = outsideOfWord(text, at);
  return [text.slice(0, cut).trim(), text.slice(cut).trim()];
}

/** If a cut is inside a word, moves it to the end of the word; in the last word, to its start. Scripts without spaces can be cut anywhere. */
function outsideOfWord(text: string, at: number): number {
  const from = text.slice(0, at).search(/\S+$/u);
  const length = text.slice(at).search(/\s|$/u);
  if (from === -1 || length === 0 || isUnspaced(text.slice(from, at + length))) return at;
  const isLast = text.slice(at + length).trim() === '';
  if (!isLast) return at + length;
  return text.slice(0, from).trim() === '' ? at : from;
}

/** Cuts a text after its first `stay` atoms. */
function textsAfter(text: string, atoms: readonly SpokenAtom[], stay: number): [string, string] {
  const written = writtenText(text);
  let at = 0;
  for (const atom of atoms.slice(0, stay)) at = written.indexOf(atom.text, at) + atom.text.length;
  return [written.slice(0, at).trim(), written.slice(at).trim()];
}

const lettersOf = (text: string) => text.replace(/\s/g, '').length;

/** The time at which this many letters of a text have been spoken, ms. */
function timeOfLetter(atoms: readonly SpokenAtom[], letters: number): number {
  let passed = 0;
  for (const { text, start_ms, end_ms } of atoms) {
    const count = lettersOf(text);
    if (passed + count >= letters) {
      return Math.round(start_ms + ((letters - passed) / count) * (end_ms - start_ms));
    }
    passed += count;
  }
  return lastOf(atoms).end_ms;
}

/**
 * Keeps the words of one part, limited to its times. If any word would have no duration, the part gets no words. Only
 * an edited text has `heard` words besides its words.
 */
function withOwnWords(segment: Segment, isIn: (word: Word) => boolean): Segment {
  const { start_ms, end_ms, text, confidence } = segment;
  const words = segment.words.filter(isIn);
  const within = words.map((word) => ({
    ...word,
    start_ms: Math.max(word.start_ms, start_ms),
    end_ms: Math.min(word.end_ms, end_ms),
  }));
  const usable = within.every((word) => word.start_ms < word.end_ms) ? within : [];
  // False if the cut is within a word: each side has only a part of that word.
  const isWhole = comparable(usable.map((word) => word.text).join('')) === comparable(text);
  const heard = segment.heard?.filter((word) => {
    return isIn(word) && word.start_ms >= start_ms && word.end_ms <= end_ms;
  });
  return {
    ...segment,
    words: isWhole ? usable : wordsOfText(usable, text),
    confidence: confidence === null ? null : confidenceOf(words),
    ...(heard && { heard }),
  };
}

const comparable = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '');

/** The places of segments, in order. Throws if one does not exist or another segment lies between them. */
function placesOf(segments: readonly Segment[], ids: readonly string[]): number[] {
  const placeOf = new Map(segments.map(({ segment_id }, place) => [segment_id, place]));
  refuseUnknown(
    ids.flatMap((id, at) =>
      placeOf.has(id) ? [] : [{ pointer: `/segment_ids/${at}`, kind: 'segment', id }],
    ),
  );
  const places = ids.map((id) => defined(placeOf.get(id))).sort((one, other) => one - other);
  const areNeighbours = places.every((place, i) => i === 0 || place === itemAt(places, i - 1) + 1);
  const detail = 'Name neighboring segments, each once.';
  if (!areNeighbours) refuse([{ pointer: '/segment_ids', code: 'not_adjacent', detail }]);
  return places;
}

const isSaidBy = (one: Segment, other: Segment) =>
  one.speaker_id === other.speaker_id && one.speaker === other.speaker;

function textTogether(parts: readonly Segment[]): string {
  return parts.reduce((text, part) => text + (needsSpace(text, part.text) ? ' ' : '') + part.text, '');
}

function asDialogue(parts: readonly Segment[]): string {
  const turns = splitAfter(parts, (one, next) => !isSaidBy(one, next));
  return turns.map((turn) => `- ${textTogether(turn)}`).join('\n');
}

/** The words of all parts, in order. Empty if a part has no words or the words are not in order. */
function wordsTogether(parts: readonly (readonly Word[])[]): Word[] {
  const words = parts.flat();
  const isInOrder = words.every((word, i) => i === 0 || itemAt(words, i - 1).end_ms <= word.start_ms);
  return isInOrder && parts.every((part) => part.length > 0) ? words : [];
}
