/** Options of subtitle files, for their GET and for their export. */
import Type, { type Static } from 'typebox';
import { defaulted, Strict } from './schemas.ts';

export const vttOptions = {
  flavor: defaulted(
    Type.Enum(['standard', 'simplified'], {
      default: 'standard',
      description: 'standard names speakers and places cues; simplified has plain cues only',
    }),
  ),
  include_sound_descriptions: defaulted(
    Type.Boolean({ default: true, description: 'Whether to add cues such as [applause]' }),
  ),
};

export const stlOptions = {
  display_standard: defaulted(
    Type.Enum(['open', 'level1', 'level2'], {
      default: 'level1',
      description:
        'level1 and level2 are teletext: boxed, in double height, at most 37 characters per row. Speakers are distinguished by white, yellow, cyan and green (at most 36 characters per row then). open is for subtitles that are burned into the picture, at most 42 characters per row',
    }),
  ),
  frame_rate: Type.Optional(
    Type.Integer({
      enum: [25, 30],
      description:
        'Frames per second of the time codes; the format has only these. By default 25 for media of 25 and 50 frames per second and for an unknown rate, else 30',
    }),
  ),
  time_codes: defaulted(
    Type.Enum(['clock', 'non_drop'], {
      default: 'clock',
      description: [
        'Meaning of the time codes. The file does not say which one it uses, and cannot have the time codes of masters of 23.976 and 24.',
        '- clock: the time since the start, at any frame rate of the media; drop-frame masters differ by at most two frames',
        '- non_drop, only at 30: the count of the pictures of masters of 29.97 (30000/1001) frames per second without dropped numbers; 3.6 s behind the clock after one hour',
      ].join('\n'),
    }),
  ),
  start_timecode: Type.Optional(
    Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][:;][0-2][0-9]$',
      description:
        "Time code of the program's first picture: `hh:mm:ss:ff`, often `10:00:00:00`, or `hh:mm:ss;ff` for drop-frame. By default `start_timecode` of the asset, or `00:00:00:00` if it has none",
    }),
  ),
  include_sound_descriptions: defaulted(
    Type.Boolean({ default: true, description: 'Whether to add sounds such as [applause]' }),
  ),
};

const ofVtt = Strict(vttOptions);
const ofStl = Strict(stlOptions);

export type VttOptions = Static<typeof ofVtt>;
export type StlFileOptions = Static<typeof ofStl>;
