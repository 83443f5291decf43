import { createHash } from 'node:crypto';
import type { StlFileOptions } from '../../../../contract/kit/subtitle-options.ts';
import type { StoredAsset } from '../../../../shared/assets.ts';
import { defined } from '../../../../shared/checked-access.ts';
import { languageById } from '../../../../shared/languages.ts';
import { Problem } from '../../../../shared/problems.ts';
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
import type { LoadedTranscription } from './load-transcription.ts';

/** The defaults of the options. */
export const usualStl = {
  display_standard: 'level1',
  time_codes: 'clock',
  include_sound_descriptions: true,
} as const;

/** An STL file, its replaced characters, and a fingerprint of the file for the ETag. */
export interface StlAnswer extends StlText {
  readonly fingerprint: string;
}

type StlSource = Pick<LoadedTranscription, 'head' | 'segments' | 'layout'> & {
  readonly asset: Pick<StoredAsset, 'name' | 'external_id' | 'frame_rate' | 'start_timecode'>;
};

/**
 * Lays out the subtitles of all segments for the rows of the display standard. Throws `language_unsupported` if no code
 * table has the letters of the language, and `answer_too_large` if a file cannot contain the subtitles.
 */
export function makeStl(
  { asset, head, segments, layout }: StlSource,
  soundDescriptions: readonly SoundDescription[],
  options: StlFileOptions,
): StlAnswer {
  const { display_standard: display, time_codes: timeCodes } = options;
  const { framesPerSecond, startFrame } = stlTiming(asset, options);
  const limits = stlLimits(display, hasSpeakerColors(segments));
  const cues = cuesFromSegments(segments, { ...layout, soundDescriptions, limits });
  const text = writeFile(timeCodes === 'non_drop' ? cues.map(inPictures) : cues, {
    ...{ language: layout.language, display, framesPerSecond, startFrame },
    title: asset.name,
    reference: asset.external_id ?? '',
    created: head.created_at.slice(0, 10),
    revised: head.updated_at.slice(0, 10),
    revision: head.version,
  });
  if (text === null) {
    const language = languageById(head.language_id)?.name ?? head.language_id;
    const detail = `No code table of EBU STL has the letters of "${language}". Use WebVTT or SubRip.`;
    throw new Problem('language_unsupported', detail);
  }
  const fingerprint = createHash('sha256').update(text.file).digest('base64url').slice(0, 16);
  return { ...text, fingerprint };
}

/** Frame rate and first frame of the file. Throws invalid_parameter if the options do not fit together. */
export function stlTiming(
  { frame_rate, start_timecode }: Pick<StoredAsset, 'frame_rate' | 'start_timecode'>,
  options: StlFileOptions,
) {
  const chosenRate = options.frame_rate === 30 ? 30 : 25;
  const framesPerSecond = options.frame_rate === undefined ? stlRateOf(frame_rate) : chosenRate;
  if (options.time_codes === 'non_drop') requireThirty(framesPerSecond);
  const startFrame =
    options.start_timecode === undefined
      ? (startFrameOfMedia(start_timecode ?? '', frame_rate, framesPerSecond) ?? 0)
      : startFrameOf(options.start_timecode, framesPerSecond);
  return { framesPerSecond, startFrame };
}

function requireThirty(framesPerSecond: number): void {
  if (framesPerSecond === 30) return;
  const detail = 'Non-drop-frame time codes need 30 frames a second. This file has 25. Use frame_rate=30.';
  throw invalidParameter({ parameter: 'time_codes', code: 'not_allowed', detail });
}

const invalidParameter = (finding: { parameter: string; code: string; detail: string }) =>
  new Problem('invalid_parameter', finding.detail, { findings: [finding] });

/**
 * Scales the times of a cue for non-drop-frame time codes. These time codes count 30 pictures a second, but media at
 * 29.97 have only 30000/1001.
 */
const inPictures = (cue: Cue): Cue => ({
  ...cue,
  start_ms: (cue.start_ms * 1000) / 1001,
  end_ms: (cue.end_ms * 1000) / 1001,
});

/** Parses the parameter, whose pattern allows frames up to 29. At 25 frames a second, frames above 24 are an error. */
function startFrameOf(text: string, framesPerSecond: number): number {
  const frame = parsedTimeCode(text, framesPerSecond);
  if (frame !== null) return frame;
  const detail = `${text} is not a time code at ${framesPerSecond} frames a second. Frames count from 00 to ${framesPerSecond - 1}.`;
  throw invalidParameter({ parameter: 'start_timecode', code: 'out_of_range', detail });
}

function writeFile(cues: readonly Cue[], options: StlOptions): StlText | null {
  try {
    return stlFromCues(cues, options);
  } catch (error) {
    if (error instanceof StlError) throw new Problem('answer_too_large', error.message);
    throw error;
  }
}

/** The header lists at most this many characters. API Gateway allows 10 KB for all headers of a reply. */
const LISTED_CHARACTERS = 50;

/** The header that lists the replaced characters (RFC 9651, List). Without replaced characters, no header. */
export function replacedHeader(replaced: readonly Replaced[]): Readonly<Record<string, string>> {
  if (replaced.length === 0) return {};
  const named = replaced
    .slice(0, LISTED_CHARACTERS)
    .map(
      ({ character, written, count }) =>
        `${quoted(codePoints(character))};by=${quoted(legible(written))};count=${count}`,
    );
  const rest = replaced.slice(LISTED_CHARACTERS).reduce((sum, { count }) => sum + count, 0);
  return { 'Stl-Replaced': [...named, ...(rest === 0 ? [] : [`"others";count=${rest}`])].join(', ') };
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Headers are ASCII, so other characters are written as code points. */
const legible = (text: string): string => (/^[ -~]*$/.test(text) ? text : codePoints(text));

const codePoints = (text: string): string =>
  [...text]
    .map((each) => `U+${defined(each.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
