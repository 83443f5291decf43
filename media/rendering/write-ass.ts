/**
 * Writes subtitles for libass in the style of a branding. Every line is a separate event with its own position, because ASS has no
 * line height. The shadow and the box of a line are events on lower layers, because ASS cannot combine a box with an outline, or
 * blur only the shadow.
 */

import { defined } from '../../shared/checked-access.ts';
import { alpha, assTime, colour, escaped, length } from './ass-syntax.ts';
import type { Fonts } from './choose-font.ts';
import type { Run } from './lay-out-text.ts';
import type { Font } from './read-font.ts';
import type { BurnedSubtitles, Output, RenderNote } from './render-plan.ts';
import { type BurnedCue, type PageOfCue, splitCue } from './split-cue.ts';
import type { SubtitleStyle } from './subtitle-style.ts';

export type SubtitlePicture = Pick<Output, 'width' | 'height' | 'colour'>;

/** The picture height to which lengths of a style refer. */
const LINES = 1080;
/** The margin on each side, as a share of the width. The screens of phones have round corners and buttons there. */
const SIDE = 0.05;
/** The maximum share of the picture's height that text may cover. */
const MOST_OF_HEIGHT = 0.5;
/** Padding of the box, in em. */
const PADDING_X = 0.35;
const PADDING_Y = 0.12;
/** Rendered text may be wider than the sum of its letters. This factor keeps a reserve for the difference. */
const SLACK = 0.98;
/** The standard deviation of the Gaussian for `\blur1` in libass: 2 / √ln 256. */
const SIGMA_OF_BLUR = 2 / Math.sqrt(Math.log(256));
/** libass draws no shadow if the offset is 0. This offset is about a 64th of a pixel. */
const NO_OFFSET = 0.02;
/** The alpha of almost transparent text. Fully transparent text would have no shadow. */
const barely = '&HFE&';

/** @param language the BCP 47 tag, which decides the forms of Chinese characters */
export function writeAss(
  cues: readonly BurnedCue[],
  style: SubtitleStyle,
  picture: SubtitlePicture,
  { fonts, language }: { readonly fonts: Fonts; readonly language?: string | undefined },
): BurnedSubtitles & { readonly notes: readonly RenderNote[] } {
  const { font, isSubstitute } = fonts.chosen(style.font_family, style.font_weight);
  const typeface = { fonts, font, weight: style.font_weight, language };
  const setting = settingOf(style, picture, font);
  const used = new Map([[font.name, font]]);
  const missing = new Set<string>();
  const events: string[] = [];
  for (const cue of cues) {
    for (const page of splitCue(cue, setting, typeface, missing)) {
      for (const { runs } of page.lines) for (const run of runs) used.set(run.font.name, run.font);
      events.push(...eventsOf(page, setting));
    }
  }
  const notes: RenderNote[] = [];
  if (isSubstitute) {
    const detail = `The font family "${style.font_family}" is not available. The subtitles use ${font.family}.`;
    notes.push({ code: 'font_substituted', detail });
  }
  if (missing.size > 0) {
    const some = [...missing].slice(0, 20).join(' ');
    notes.push({ code: 'glyphs_missing', detail: `No font has these characters of the subtitles: ${some}` });
  }
  const paths = [...new Set([...used.values()].map(({ path }) => path))].sort();
  return { document: [...header(setting), ...events, ''].join('\n'), fonts: paths, notes };
}

type Setting = ReturnType<typeof settingOf>;

function settingOf(style: SubtitleStyle, picture: SubtitlePicture, font: Font) {
  const scale = picture.height / LINES;
  const em = style.font_size_px * scale;
  const line = Math.max(1, style.line_height * em);
  const has_box = Boolean(style.background_color) && style.background_opacity > 0;
  const padding = has_box ? { x: PADDING_X * em, y: PADDING_Y * em } : { x: 0, y: 0 };
  const margin = padding.x + style.stroke_thickness_px * scale;
  const room = Math.max(((picture.width * (1 - 2 * SIDE) - 2 * margin) * SLACK) / em, 1);
  const most_lines = Math.max(1, Math.floor((picture.height * MOST_OF_HEIGHT) / line));
  const fixed = { style, picture, font, has_box };
  return { ...fixed, scale, em, line, padding, room, most_lines };
}

function header({ style, picture, font, scale, em }: Setting): string[] {
  const { width, height } = picture;
  const { matrix } = picture.colour;
  const text = colour(style.text_color, matrix).replace('&H', '&H00').replace(/&$/, '');
  const stroke = colour(style.stroke_color, matrix).replace('&H', '&H00').replace(/&$/, '');
  const face = [font.name, length(em * (font.win_ascent + font.win_descent)), text, text, stroke, stroke];
  const plain = '0,0,0,0,100,100,0,0';
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'WrapStyle: 2',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    // The last number (-1) makes libass detect the direction of each line.
    `Style: Text,${face.join()},${plain},1,${length(style.stroke_thickness_px * scale)},0,2,0,0,0,-1`,
    `Style: Box,${face.join()},${plain},3,0,0,2,0,0,0,-1`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  ];
}

function eventsOf({ start_ms, end_ms, isAtTop, lines }: PageOfCue, setting: Setting): string[] {
  const { picture, line, padding, font, em } = setting;
  const top = topOf(lines.length * line, isAtTop, setting);
  const event = (layer: number, style: string, text: string) =>
    `Dialogue: ${layer},${assTime(start_ms)},${assTime(end_ms)},${style},,0,0,0,,${text}`;
  return lines.flatMap(({ runs, width }, at) => {
    // CSS 2.1 §10.8: half of the difference between line height and font height is above the text, and half is below.
    const baseline = top + at * line + (line - (font.ascent + font.descent) * em) / 2 + font.ascent * em;
    const below = Math.max(...runs.map((run) => run.font.win_descent)) * em;
    const place = `\\an2\\pos(${length(picture.width / 2)},${length(baseline + below)})`;
    const edges = {
      top: Math.round(top + at * line - (at === 0 ? padding.y : 0)),
      bottom: Math.round(top + (at + 1) * line + (at === lines.length - 1 ? padding.y : 0)),
    };
    return [
      ...(setting.has_box ? [event(0, 'Box', box(place, { runs, width, edges, setting }))] : []),
      ...(setting.style.shadow_color ? [event(1, 'Text', shadow(place, runs, setting))] : []),
      event(2, 'Text', `{${place}}${textOf(runs, setting)}`),
    ];
  });
}

/** Returns the top of the text, pixels. A cue at the top has the mirrored position. All text stays inside the picture. */
function topOf(height: number, isAtTop: boolean, { style, picture, padding, scale }: Setting): number {
  const place = style.vertical_position_pct;
  const isInUpperHalf = place > 0.5;
  const fromEdge = picture.height * (isInUpperHalf && isAtTop ? 0.1 : place);
  const isFromTop = isAtTop && !isInUpperHalf;
  const wanted = isFromTop ? fromEdge : picture.height - fromEdge - height;
  const edge = Math.max(padding.y, style.stroke_thickness_px * scale);
  return Math.max(edge, Math.min(wanted, picture.height - edge - height));
}

/** Returns the text with the font of each run. libass scales fonts by their line extent, so the size is converted from the em. */
function textOf(runs: readonly Run[], { font, em }: Setting): string {
  return runs
    .map((run, at) => {
      if (at === 0 && run.font === font) return escaped(run.text);
      const size = length(em * (run.font.win_ascent + run.font.win_descent));
      return `{\\fn${run.font.name}\\fs${size}}${escaped(run.text)}`;
    })
    .join('');
}

function shadow(place: string, runs: readonly Run[], setting: Setting): string {
  const { style, scale, picture } = setting;
  const [x, y] = [style.shadow_offset_x_px * scale, style.shadow_offset_y_px * scale];
  const isCentered = x === 0 && y === 0;
  const blur = (style.shadow_blur * scale) / 2 / SIGMA_OF_BLUR;
  const shade = colour(defined(style.shadow_color), picture.colour.matrix);
  const look = [
    ...[`\\1c${shade}`, `\\3c${shade}`, `\\4c${shade}`, `\\1a${barely}`, `\\3a${barely}`],
    ...[`\\4a${alpha(style.shadow_opacity_pct)}`, `\\xshad${length(isCentered ? NO_OFFSET : x)}`],
    ...[`\\yshad${length(y)}`, ...(blur > 0 ? [`\\blur${length(blur)}`] : [])],
  ];
  return `{${place}${look.join('')}}${textOf(runs, setting)}`;
}

/** Returns the box of a line. For a line with several fonts, draws a rectangle, because libass would draw overlapping boxes, one for each font. */
function box(
  place: string,
  {
    runs,
    width,
    edges,
    setting,
  }: {
    readonly runs: readonly Run[];
    readonly width: number;
    readonly edges: { readonly top: number; readonly bottom: number };
    readonly setting: Setting;
  },
): string {
  const { style, picture, padding, em, line } = setting;
  const fill = colour(defined(style.background_color), picture.colour.matrix);
  const opacity = alpha(style.background_opacity);
  if (runs.length === 1) {
    const clip = `\\clip(0,${edges.top},${picture.width},${edges.bottom})`;
    const look = `\\1a&HFF&\\3c${fill}\\3a${opacity}\\xbord${length(padding.x)}\\ybord${length(line)}${clip}`;
    return `{${place}${look}}${textOf(runs, setting)}`;
  }
  const wide = Math.round(width * em + 2 * padding.x);
  const corner = `\\an7\\pos(${Math.round((picture.width - wide) / 2)},${edges.top})`;
  const high = edges.bottom - edges.top;
  return `{${corner}\\bord0\\1c${fill}\\1a${opacity}\\p1}m 0 0 l ${wide} 0 ${wide} ${high} 0 ${high}`;
}
