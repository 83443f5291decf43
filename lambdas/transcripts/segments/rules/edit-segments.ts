/** The edits that people make: they add, move and correct segments, and assign speakers. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/segments.ts';
import { defined } from '../../../../shared/checked-access.ts';
import { isUuid } from '../../../../shared/ids.ts';
import { Inconsistent, Problem, UnknownReference } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { isMeantBy, type Speaker } from '../../speakers/rules/speakers.ts';
import { wordsOfText, wordsWithin } from './fit-words.ts';

export type NewSegment = Static<typeof contract.createSegments.body>['segments'][number];
export type SegmentChange = Static<typeof contract.updateSegment.body>;
/** A change as the request has it. The id of the segment can be in either field. */
export type NamedChange = Static<typeof contract.updateSegments.body>['segments'][number];

/** A change with its place in the request, as a JSON pointer. */
export interface PlacedChange extends SegmentChange {
  readonly id: string;
  /** The field of the request that has the id. */
  readonly named?: 'id' | 'segment_id';
  readonly pointer: string;
}

type Finding = ConstructorParameters<typeof Inconsistent>[0][number];
type Missing = ConstructorParameters<typeof UnknownReference>[0][number];

/**
 * The maximum number of characters in a transcription. Media lasts at most 12 hours, so this allows 23 characters a
 * second, which is too fast to read. Layout takes about 6 µs per character.
 */
const MAX_CHARACTERS = 1_000_000;

/** Throws if an edit adds text and the transcription then exceeds the limit. */
export function requireLegible(before: readonly Segment[], after: readonly Segment[]): void {
  const characters = charactersOf(after);
  if (characters <= MAX_CHARACTERS || characters <= charactersOf(before)) return;
  const detail = `The transcription would have ${characters} characters; it holds at most ${MAX_CHARACTERS}.`;
  throw new Inconsistent([{ pointer: '', code: 'too_large', detail }]);
}

const charactersOf = (segments: readonly Segment[]) =>
  segments.reduce((sum, { text }) => sum + text.length, 0);

/** Returns the changes with their segment ids. Throws if a change has no id, or two different ids. */
export function placedChanges(given: readonly NamedChange[], known: ReadonlySet<string>): PlacedChange[] {
  const missing: Missing[] = [];
  const faults: Finding[] = [];
  const placed = given.map(({ id, segment_id, ...change }, at): PlacedChange => {
    const pointer = `/segments/${at}/segment_id`;
    if (id === undefined && segment_id === undefined) {
      faults.push({ pointer, code: 'required', detail: 'segment_id is required.' });
    } else if (id !== undefined && segment_id !== undefined) {
      // `id` is checked later, when the change is made.
      if (!known.has(segment_id)) missing.push({ pointer, kind: 'segment', id: segment_id });
      if (known.has(id) && id !== segment_id)
        faults.push({ pointer, code: 'not_allowed', detail: 'id and segment_id name different segments.' });
    }
    const named = id === undefined ? 'segment_id' : 'id';
    return { ...change, id: id ?? segment_id ?? '', named, pointer: `/segments/${at}` };
  });
  refuseUnknown(missing);
  refuse(faults);
  return placed;
}

/** The maximum number of segments of a transcription: twelve hours of speech in segments of two seconds. */
const MAX_SEGMENTS = 21_600;

/** Used if the duration of the media is unknown. */
const ENDLESS_MS = Number.POSITIVE_INFINITY;

interface Surroundings {
  readonly speakers: readonly Speaker[];
  readonly originals: ReadonlySet<string>;
  /** Returns the id of a new segment, by its place in the request. */
  readonly idOf: (at: number) => string;
  readonly mediaDurationMs?: number | undefined;
}

/** Makes new segments. Checks their times, texts, speakers and originals first. */
export function newSegments(
  given: readonly NewSegment[],
  { speakers, originals, idOf, mediaDurationMs = ENDLESS_MS }: Surroundings,
): Segment[] {
  const made = given.map((segment, at): Segment => {
    const speaker = speakers.find(isMeantBy(segment.speaker));
    return {
      segment_id: idOf(at),
      original_segment_id: segment.original_segment_id ?? null,
      start_ms: segment.start_ms,
      end_ms: segment.end_ms,
      timing: 'set',
      text: asKept(segment.text),
      speaker: speaker?.name ?? segment.speaker,
      speaker_id: speaker?.speaker_id ?? null,
      confidence: null,
      words: [],
    };
  });
  refuse(made.flatMap((segment, at) => faultsOf(segment, `/segments/${at}`, mediaDurationMs)));
  refuseUnknown([
    ...made.flatMap(({ speaker, speaker_id }, at) =>
      speaker_id === null && isUuid(defined(speaker))
        ? [{ pointer: `/segments/${at}/speaker`, kind: 'speaker', id: defined(speaker) }]
        : [],
    ),
    ...made.flatMap(({ original_segment_id: id }, at) =>
      id !== null && !originals.has(id)
        ? [{ pointer: `/segments/${at}/original_segment_id`, kind: 'original segment', id }]
        : [],
    ),
  ]);
  return made;
}

export function withNewSegments(segments: readonly Segment[], added: readonly Segment[]): Segment[] {
  if (segments.length + added.length > MAX_SEGMENTS) {
    throw new Problem('payload_too_large', `A transcription may hold ${MAX_SEGMENTS} segments.`);
  }
  return inOrder([...segments, ...added]);
}

/** Changes segments. The error lists every invalid change. */
export function changedSegments(
  segments: readonly Segment[],
  changes: readonly PlacedChange[],
  speakers: readonly Speaker[],
  mediaDurationMs = ENDLESS_MS,
): Segment[] {
  // The changes by id. If an id occurs twice, its first change.
  const asked = new Map(changes.toReversed().map((change) => [change.id, change]));
  const repeated = changes.filter((change) => asked.get(change.id) !== change);
  refuse(
    repeated.map(({ id, pointer, named = 'id' }) => {
      return { pointer: `${pointer}/${named}`, code: 'duplicate', detail: `${id} is edited twice.` };
    }),
  );
  const known = new Set(segments.map(({ segment_id }) => segment_id));
  const names = new Map(speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  refuseUnknown([
    ...changes
      .filter(({ id }) => !known.has(id))
      .map(({ id, pointer, named = 'id' }) => ({ pointer: `${pointer}/${named}`, kind: 'segment', id })),
    ...changes.flatMap(({ speaker_id: id, pointer }) =>
      typeof id === 'string' && !names.has(id)
        ? [{ pointer: `${pointer}/speaker_id`, kind: 'speaker', id }]
        : [],
    ),
  ]);
  const faults: Finding[] = [];
  const changed = segments.map((segment) => {
    const change = asked.get(segment.segment_id);
    if (change === undefined) return segment;
    const edited = withChange(segment, change, names);
    // An engine can have heard words after the end of the media. They stay until a person sets a time.
    const latest_ms = change.end_ms === undefined ? ENDLESS_MS : mediaDurationMs;
    faults.push(...faultsOf(edited, change.pointer, latest_ms));
    return edited;
  });
  refuse(faults);
  return inOrder(changed);
}

const inOrder = (segments: readonly Segment[]): Segment[] =>
  segments.toSorted((one, other) => one.start_ms - other.start_ms);

function withChange(segment: Segment, change: SegmentChange, names: ReadonlyMap<string, string>): Segment {
  const { words, heard } = segment;
  const { speaker_id, start_ms = segment.start_ms, end_ms = segment.end_ms } = change;
  const to = { start_ms, end_ms };
  const isSet = change.start_ms !== undefined || change.end_ms !== undefined;
  const isMoved = start_ms !== segment.start_ms || end_ms !== segment.end_ms;
  const moved: Segment = {
    ...segment,
    ...(isMoved && start_ms < end_ms && { words: wordsWithin(words, segment, to) }),
    ...(isMoved && start_ms < end_ms && heard && { heard: wordsWithin(heard, segment, to) }),
    ...to,
    ...(isSet && { timing: 'set' }),
    ...(speaker_id !== undefined && { speaker_id, speaker: names.get(speaker_id ?? '') ?? null }),
  };
  return withText(moved, change.text);
}

/**
 * Changes a segment's text. The new text has no confidence, because a person wrote it. The words get their times from
 * the heard words, not from earlier edits.
 */
function withText(segment: Segment, text: string | undefined): Segment {
  const written = text === undefined ? segment.text : asKept(text);
  if (written === segment.text) return segment;
  const heard = segment.heard ?? segment.words;
  return {
    ...segment,
    text: written,
    confidence: null,
    words: wordsOfText(heard, written),
    ...(heard.length > 0 && { heard }),
  };
}

/** Normalizes a text: line feeds as line ends, and spaces for tabs. */
const asKept = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .trim();

function faultsOf({ text, start_ms, end_ms }: Segment, pointer: string, latest_ms: number): Finding[] {
  const faults: Finding[] = [];
  if (start_ms >= end_ms) {
    const detail = `end_ms (${end_ms}) must be after start_ms (${start_ms}).`;
    faults.push({ pointer: `${pointer}/end_ms`, code: 'too_small', detail });
  }
  if (isBlank(text)) {
    faults.push({ pointer: `${pointer}/text`, code: 'too_short', detail: 'text must not be blank.' });
  }
  if (end_ms > latest_ms) {
    const detail = `end_ms (${end_ms}) is after the end of the media (${latest_ms}).`;
    faults.push({ pointer: `${pointer}/end_ms`, code: 'too_large', detail });
  }
  return faults;
}

/**
 * Whether a text has nothing visible: only spaces, control characters, marks without a letter, or invisible characters.
 */
export const isBlank = (text: string): boolean => !SEEN.test(text);

// Unicode counts some blank characters as letters and symbols: fillers and the empty braille cell.
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

export function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new Inconsistent(findings);
}

export function refuseUnknown(missing: readonly Missing[]): void {
  if (missing.length > 0) throw new UnknownReference(missing.slice(0, 50));
}
