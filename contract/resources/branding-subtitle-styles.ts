/** Subtitle styles: how burned-in subtitles look. */
import Type from 'typebox';
import { Name } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { forms } from '../kit/forms.ts';
import { Line } from '../kit/schemas.ts';

const Colour = (description: string, rest: object = {}) =>
  Type.String({ pattern: forms.colour.pattern, description: `${description}, \`#RRGGBB\``, ...rest });

const Pixels = (description: string, minimum: number, maximum: number, initial: number) =>
  Type.Optional(
    Type.Integer({
      minimum,
      maximum,
      default: initial,
      description: `${description}, pixels of a 1080-line picture`,
    }),
  );

const Fraction = (description: string, initial: number) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: initial, description: `${description}, 0 to 1` }),
  );

export const {
  createBrandingSubtitleStyle,
  listBrandingSubtitleStyles,
  getBrandingSubtitleStyle,
  updateBrandingSubtitleStyle,
  deleteBrandingSubtitleStyle,
} = crud({
  kind: 'branding subtitle style',
  id: 'style_id',
  scope: 'config',
  description:
    'Style of the subtitles that are burned into clips. Lengths are pixels of a picture with 1080 lines, and scale with the picture. Brandings refer to it as `subtitle_style_id`.',
  usedBy: 'brandings',
  fields: {
    name: Name,
    font_family: Line(
      'Font family: Inter, Open Sans, Roboto, Lato, DejaVu Sans, DejaVu Sans Mono, or a Noto family. Any other family is replaced by Inter, with a note in `notes` of the clip',
      100,
    ),
    text_color: Colour('Color of the text'),
    font_size_px: Pixels('Size of the font', 8, 200, 26),
    // CSS Fonts 4 §2.5: any weight from 1 to 1000.
    font_weight: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 600, description: '400 is regular, 700 bold' }),
    ),
    line_height: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 4,
        default: 1.2,
        description: 'Line height as a multiple of the font size',
      }),
    ),
    vertical_position_pct: Fraction('Distance from the lower edge, as a fraction of the video height', 0.1),
    shadow_blur: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, default: 0, description: 'Radius of the blur, pixels' }),
    ),
    shadow_color: Type.Optional(Colour('Color of the shadow; none without it')),
    shadow_opacity_pct: Fraction('Opacity of the shadow', 1),
    shadow_offset_x_px: Pixels('Shadow to the right', -100, 100, 1),
    shadow_offset_y_px: Pixels('Shadow downwards', -100, 100, 1),
    background_color: Type.Optional(Colour('Color of the box behind the text; none without it')),
    background_opacity: Fraction('Opacity of the box', 0),
    stroke_color: Type.Optional(Colour('Color of the outline', { default: '#000000' })),
    stroke_thickness_px: Pixels('Thickness of the outline', 0, 50, 0),
  },
  example: { name: 'Bold white', font_family: 'Inter', text_color: '#FFFFFF', font_size_px: 32 },
});
