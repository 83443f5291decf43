/** Checks whether EBU STL time codes can match the media: the format has only 25 and 30 frames a second. */

import { stlRateOf } from '../../../subtitles/rules/stl.ts';
import type { Found } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

/** Rates that differ by less than this count as equal. 29.97 differs from 30 by 0.03. */
const NEARLY = 0.005;

/**
 * Warns about rates such as 29.97, 23.976 and 24. Media at 50 and 60 cause no warning, because one frame covers two
 * pictures.
 */
export function checkFrameRate({ stl }: QcProfile, frameRate: number): Found[] {
  const rate = stlRateOf(frameRate);
  const pictures = frameRate / Math.max(1, Math.round(frameRate / rate));
  if (!stl || Math.abs(pictures - rate) < NEARLY) return [];
  const isNtsc = Math.abs(pictures - 30_000 / 1001) < NEARLY;
  const why = isNtsc
    ? 'Drop-frame time codes differ from that by two frames at most. Use time_codes=non_drop to count pictures instead.'
    : 'They differ from the time codes of the media.';
  const detail = `The media has ${frameRate} frames a second; EBU STL has 25 or 30. At ${rate}, its time codes are clock time. ${why}`;
  const place = { cue: null, segment_ids: [], start_ms: 0, end_ms: 0 };
  return [{ ...place, code: 'frame_rate', value: frameRate, limit: rate, detail }];
}
