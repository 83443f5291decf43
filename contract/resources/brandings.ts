/** Brandings: the look of clips, with one variant for each aspect ratio. */
import { exampleIds, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';

export const { createBranding, listBrandings, getBranding, updateBranding, deleteBranding } = crud({
  kind: 'branding',
  scope: 'config',
  description:
    'The look of clips under one name: a style for their subtitles, and a variant for each aspect ratio. Clips refer to it as `branding_id`.',
  deletion:
    'Its variants are deleted with it. Clips keep its id. Running jobs continue with the branding that they read at their start.',
  fields: { name: Name, subtitle_style_id: OptionalId('Style of burned-in subtitles') },
  references: { subtitle_style_id: targets.subtitleStyle },
  example: { name: 'Evening news', subtitle_style_id: exampleIds.subtitleStyle },
});

/** One Lambda handles all parts of a branding except the files. */
export * from './branding-subtitle-styles.ts';
export * from './branding-variants.ts';
