/** Variants of a branding: the overlay, intro and outro of clips with one aspect ratio. */
import Type from 'typebox';
import { exampleIds, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';

export const {
  createBrandingVariant,
  listBrandingVariants,
  getBrandingVariant,
  updateBrandingVariant,
  deleteBrandingVariant,
} = crud({
  kind: 'branding variant',
  kinds: 'variants of a branding',
  path: '/v1/brandings/{branding_id}/variants',
  id: 'variant_id',
  parent: { id: 'branding_id', type: 'brandings', kind: 'branding' },
  scope: 'config',
  description:
    'The overlay, intro and outro of clips with one aspect ratio. Create the overlay and the branding clips first.',
  unique: 'aspect_ratio',
  fields: {
    aspect_ratio: Type.Enum(['9:16', '1:1', '4:5', '16:9', '4:3', '3:4'], {
      description: 'Aspect ratio of the clips; a branding has one variant for each',
    }),
    overlay_id: OptionalId('Overlay on the whole clip, centered and scaled to fit'),
    intro_id: OptionalId('Branding clip before the clip'),
    outro_id: OptionalId('Branding clip after the clip'),
  },
  references: { overlay_id: targets.overlay, intro_id: targets.clip, outro_id: targets.clip },
  example: { aspect_ratio: '9:16', overlay_id: exampleIds.overlay, intro_id: exampleIds.clip },
});
