/** The requirements of broadcasters and platforms for subtitles, as data with its sources. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/kit/qc-fields.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from '../../../subtitles/rules/limits.ts';
import { stlLimits } from '../../../subtitles/rules/stl.ts';

export type QcCode = Static<typeof contract.QcFinding>['code'];

export const MAX_LINES = 2;
/** The maximum time of a cue on screen, in all profiles. */
export const MAX_MS = 7000;

export type QcProfile = {
  sources: readonly string[];
  layout: SubtitleLimits;
  /** The highest reading speed, characters a second. Spaces count, and a full-width character counts by its width. */
  characters_per_second: number;
  min_ms: number;
  gap_frames: number;
  /** A gap that is longer than the smallest gap but shorter than this looks like a flicker, ms. */
  flicker_ms: number;
  /** A cue may begin this long after its speech begins, ms. */
  late_ms: number;
  /**
   * If a cue begins or ends this near to a cut, it should do so exactly at the cut, ms. 0 if the profile has no rule
   * for cuts.
   */
  shot_ms: number;
  /** Whether the subtitles are delivered as EBU STL. */
  stl: boolean;
  /** Codes whose findings are only warnings in this profile. */
  advised: readonly QcCode[];
};

export const qcProfiles = {
  broadcast: {
    sources: [
      'BBC Subtitle Guidelines. §3.1: 37 characters a line of teletext. §3.3: avoid three lines. §4.1: 160 to 180 words a minute; 180 words of six characters with their space are 18 characters a second. §4.5: gaps of at least one second. §5.2: within 1.5 seconds of the speech. §6: matching shots (half a second, as in Netflix’s guide)',
      'EBU Tech 3264-E: what a code table lacks',
      'Kinora: 5/6 s to 7 s on screen, which the BBC leaves open',
    ],
    layout: stlLimits('level1'),
    characters_per_second: 18,
    min_ms: 833,
    // Cues may follow each other without a gap.
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
    min_ms: 1000,
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
    min_ms: 833,
    gap_frames: 2,
    flicker_ms: 500,
    late_ms: 500,
    shot_ms: 500,
    stl: false,
    advised: [],
  },
} as const satisfies Record<string, QcProfile>;

export type QcProfileName = keyof typeof qcProfiles;
