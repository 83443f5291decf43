/** The style of burned-in subtitles, which a branding defines (contract/resources/branding-subtitle-styles.ts). */
export interface SubtitleStyle {
  readonly font_family: string;
  /** All colors are in the form `#RRGGBB`. */
  readonly text_color: string;
  /** The size of the em. All lengths in `_px` refer to a picture with 1080 lines, and are scaled with the picture. */
  readonly font_size_px: number;
  readonly font_weight: number;
  /** In em. */
  readonly line_height: number;
  /** The distance from the lower edge of the picture to the lower edge of the text, as a share of the picture's height. */
  readonly vertical_position_pct: number;
  /** The blur radius as in CSS: twice the standard deviation. */
  readonly shadow_blur: number;
  /** Absent or null: no shadow. */
  readonly shadow_color?: string | null | undefined;
  readonly shadow_opacity_pct: number;
  readonly shadow_offset_x_px: number;
  readonly shadow_offset_y_px: number;
  /** Absent or null: no box. */
  readonly background_color?: string | null | undefined;
  readonly background_opacity: number;
  readonly stroke_color: string;
  /** The thickness of the outline, which is outside the letters. */
  readonly stroke_thickness_px: number;
}

/** The default style: white with a thin black outline, readable over any picture. */
export const plainStyle: SubtitleStyle = {
  font_family: 'Inter',
  text_color: '#FFFFFF',
  font_size_px: 44,
  font_weight: 600,
  line_height: 1.2,
  vertical_position_pct: 0.1,
  shadow_blur: 0,
  shadow_opacity_pct: 1,
  shadow_offset_x_px: 1,
  shadow_offset_y_px: 1,
  background_opacity: 0,
  stroke_color: '#000000',
  stroke_thickness_px: 3,
};
