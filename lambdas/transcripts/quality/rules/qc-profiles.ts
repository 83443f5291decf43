/** What those who take subtitles ask of them, as data with its sources. */

import type { Static } from 'typebox';
import type * as contract from '../../../../contract/kit/qc-fields.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from '../../../subtitles/rules/limits.ts';
import { stlLimits } from '../../../subtitles/rules/stl.ts';

export type QcCode = Static<typeof contract.QcFinding>['code'];

export type QcProfile = {
  sources: readonly string[];
  /** How its cues are laid out. */
  layout: SubtitleLimits;
  /** Characters a second, blanks included, full-width ones as wide as they are. */
  characters_per_second: number;
  line_width: number;
  lines: number;
  min_ms: number;
  max_ms: number;
  /** Frames between two cues at least. */
  gap_frames: number;
  /** A gap below this that is above the smallest reads as a flicker, ms. */
  flicker_ms: number;
  /** How much later than its speech a cue may begin, ms. */
  late_ms: number;
  /** How near to a cut a cue should begin and end at it, ms; 0 where the profile asks nothing of cuts. */
  shot_ms: number;
  /** Whether it is delivered as EBU STL. */
  stl: boolean;
  /** What it advises and does not ask for. */
  advised: readonly QcCode[];
};

export const qcProfiles = {
  broadcast: {
    sources: [
      'BBC Subtitle Guidelines: §3.1 37 characters a line of teletext; §3.3 avoid three lines; §4.1 160 to 180 words a minute (180, of six characters with their blank, are 18 a second); §4.5 gaps of at least one second; §5.2 within 1.5 seconds of the speech; §6 matching shots (half a second as Netflix has it)',
      'EBU Tech 3264-E: what a code table lacks',
      'Kinora: 5/6 s to 7 s on screen, which the BBC leaves open',
    ],
    layout: stlLimits('level1'),
    characters_per_second: 18,
    line_width: stlLimits('level1').line_width,
    lines: 2,
    min_ms: 833,
    max_ms: 7000,
    // One may follow the other at once.
    gap_frames: 0,
    flicker_ms: 1000,
    late_ms: 1500,
    shot_ms: 500,
    stl: true,
    advised: [],
  },
  web: {
    sources: [
      'TED Translators Cheat-sheet: 42 characters a line, two lines, 21 characters a second, 1 s to 7 s on screen (1 s as advice)',
      'Kinora: cues no more than 500 ms late',
    ],
    layout: BROADCAST_LIMITS,
    characters_per_second: 21,
    line_width: 42,
    lines: 2,
    min_ms: 1000,
    max_ms: 7000,
    gap_frames: 0,
    flicker_ms: 0,
    late_ms: 500,
    shot_ms: 0,
    stl: false,
    advised: ['too_short', 'overlap'],
  },
  'netflix-like': {
    sources: [
      'Netflix Timed Text Style Guide, General Requirements: §1 duration, §4 line treatment',
      'Netflix Timed Text Style Guide, English: 42 characters a line, 20 characters a second for adults',
      'Netflix Timed Text Style Guide, Subtitle Timing Guidelines: two frames between cues, gaps below half a second closed, cues within half a second of a cut moved to it',
    ],
    layout: BROADCAST_LIMITS,
    characters_per_second: 20,
    line_width: 42,
    lines: 2,
    min_ms: 833,
    max_ms: 7000,
    gap_frames: 2,
    flicker_ms: 500,
    late_ms: 500,
    shot_ms: 500,
    stl: false,
    advised: [],
  },
} as const satisfies Record<string, QcProfile>;

export type QcProfileName = keyof typeof qcProfiles;
