/** The EBU STL file of a transcription. */
import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { getStl } from '../../../../contract/resources/transcriptions.ts';
import type { StoredAsset } from '../../../../shared/assets.ts';
import { languageById } from '../../../../shared/languages.ts';
import { Problem } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import type { SoundDescription } from '../../../../shared/sound-descriptions.ts';
import type { Cue } from '../../../subtitles/rules/cue.ts';
import { cuesFromSegments } from '../../../subtitles/rules/make-cues.ts';
import {
  hasSpeakerColors,
  parsedTimeCode,
  type Replaced,
  StlError,
  type StlOptions,
  type StlText,
  startFrameOfMedia,
  stlFromCues,
  stlLimits,
  stlRateOf,
} from '../../../subtitles/rules/stl.ts';
import type { Transcription } from '../../lineage/records/transcriptions.ts';

export interface StlSource {
  readonly asset: Pick<StoredAsset, 'name' | 'external_id' | 'frame_rate' | 'start_timecode' | 'duration_ms'>;
  readonly head: Transcription;
  readonly segments: readonly Segment[];
  readonly sounds: readonly SoundDescription[];
}

type Query = Static<typeof getStl.query>;

/** The file, what its code table lacked, and a part of an ETag that changes with the file. */
export interface StlAnswer extends StlText {
  readonly version: string;
}

/**
 * The subtitles of all segments, laid out for the rows of the display standard. Throws `language_unsupported` where no
 * code table has the letters of the language, and `answer_too_large` where they are more than a file holds.
 */
export function stlFile({ asset, head, segments, sounds }: StlSource, query: Query): StlAnswer {
  const { display_standard: display, time_codes: timeCodes } = query;
  const language = languageById(head.language_id);
  const tag = language === undefined ? {} : { language: language.code };
  const framesPerSecond = (query.frame_rate ?? stlRateOf(asset.frame_rate)) as 25 | 30;
  if (timeCodes === 'non_drop') requireThirty(framesPerSecond);
  const startFrame =
    query.start_timecode === undefined
      ? (startFrameOfMedia(asset.start_timecode ?? '', asset.frame_rate, framesPerSecond) ?? 0)
      : startFrameOf(query.start_timecode, framesPerSecond);
  const cues = cuesFromSegments(segments, {
    ...tag,
    ...(asset.duration_ms !== null && { mediaDurationMs: asset.duration_ms }),
    soundDescriptions: sounds,
    limits: stlLimits(display, hasSpeakerColors(segments)),
  });
  const made = written(timeCodes === 'non_drop' ? cues.map(inPictures) : cues, {
    ...tag,
    display,
    framesPerSecond,
    startFrame,
    title: asset.name,
    reference: asset.external_id ?? '',
    created: head.created_at.slice(0, 10),
    revised: head.updated_at.slice(0, 10),
    revision: head.version,
  });
  if (made === null) throw new NoCodeTable(language?.name ?? head.language_id);
  return { ...made, version: createHash('sha256').update(made.file).digest('base64url').slice(0, 16) };
}

class NoCodeTable extends Problem {
  constructor(language: string) {
    super(
      'language_unsupported',
      `No code table of EBU STL has the letters of "${language}". WebVTT and SubRip have those of every language.`,
    );
  }
}

function requireThirty(framesPerSecond: number): void {
  if (framesPerSecond === 30) return;
  const detail =
    'Time codes without drop-frame differ from the clock at 30 frames a second alone, and this file has 25: frame_rate=30 asks for others.';
  throw new Problem('invalid_parameter', detail, {
    findings: [{ parameter: 'time_codes', code: 'not_allowed', detail }],
  });
}

/** A cue at times at which a clock of 30 frames a second counts as many of them as there are pictures, 30000/1001 a second. */
const inPictures = (cue: Cue): Cue => ({
  ...cue,
  start_ms: (cue.start_ms * 1000) / 1001,
  end_ms: (cue.end_ms * 1000) / 1001,
});

/** The pattern of the parameter holds for 30 frames a second. */
function startFrameOf(text: string, framesPerSecond: number): number {
  const frame = parsedTimeCode(text, framesPerSecond);
  if (frame !== null) return frame;
  const detail = `${text} is no time code at ${framesPerSecond} frames a second: frames count from 00 to ${framesPerSecond - 1}.`;
  throw new Problem('invalid_parameter', detail, {
    findings: [{ parameter: 'start_timecode', code: 'out_of_range', detail }],
  });
}

function written(cues: Parameters<typeof stlFromCues>[0], options: StlOptions): StlText | null {
  try {
    return stlFromCues(cues, options);
  } catch (error) {
    if (error instanceof StlError) throw new Problem('answer_too_large', error.message);
    throw error;
  }
}

/** Headers of all kinds together have 10 KB. */
const NAMED_KINDS = 50;

/** What was replaced, as a list of RFC 9651; no header where nothing was. */
export function replacedHeader(replaced: readonly Replaced[]): Readonly<Record<string, string>> {
  if (replaced.length === 0) return {};
  const named = replaced
    .slice(0, NAMED_KINDS)
    .map(
      ({ character, written, count }) =>
        `${quoted(codePoints(character))};by=${quoted(legible(written))};count=${count}`,
    );
  const rest = replaced.slice(NAMED_KINDS).reduce((sum, { count }) => sum + count, 0);
  return { 'Stl-Replaced': [...named, ...(rest === 0 ? [] : [`"others";count=${rest}`])].join(', ') };
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Headers are ASCII. */
const legible = (text: string): string => (/^[ -~]*$/.test(text) ? text : codePoints(text));

const codePoints = (text: string): string =>
  [...text].map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
