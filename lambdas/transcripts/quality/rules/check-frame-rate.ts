/** Whether the time codes of EBU STL can be those of the media: the format has 25 and 30 frames a second. */

import { stlRateOf } from '../../../subtitles/rules/stl.ts';
import type { Found } from './qc-findings.ts';
import type { QcProfile } from './qc-profiles.ts';

/** Rates that differ by less are the same: 29.97 is 0.03 from 30. */
const NEARLY = 0.005;

/** Warns of media of 29.97, 23.976, 24 and their like; those of 50 and 60 have two pictures a frame. */
export function checkedFrameRate({ stl }: QcProfile, frameRate: number): Found[] {
  const rate = stlRateOf(frameRate);
  const pictures = frameRate / Math.max(1, Math.round(frameRate / rate));
  if (!stl || Math.abs(pictures - rate) < NEARLY) return [];
  const isNtsc = Math.abs(pictures - 30_000 / 1001) < NEARLY;
  const why = isNtsc
    ? 'as drop-frame ones do to within two frames; time_codes=non_drop counts the pictures instead.'
    : 'and are not those of the media.';
  const detail = `The media have ${frameRate} frames a second, EBU STL has 25 or 30: at ${rate} its time codes tell the time by the clock, ${why}`;
  const place = { cue: null, segment_ids: [], start_ms: 0, end_ms: 0 };
  return [{ ...place, code: 'frame_rate', value: frameRate, limit: rate, detail }];
}
