/** Variants of a branding, for those who apply it. */
import type { Configuration } from '../../../platform/store/configuration.ts';

/** There are six aspect ratios, and one variant each. */
const ALL = 10;

/** Aspect ratios that the branding has variants for: `16:9`, … */
export async function aspectsOf(configuration: Configuration, branding: string): Promise<string[]> {
  const parent = { type: 'brandings', kind: 'branding', id: branding };
  const place = { type: 'branding_variants', kind: 'branding variant', parent };
  const { ids } = await configuration.page(place, { skip: 0 }, ALL);
  return (await configuration.getMany(place, ids)).map(({ aspect_ratio }) => String(aspect_ratio)).sort();
}
