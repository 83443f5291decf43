/** Variants of a branding, for those who apply it. */
import type { Configuration, Stored } from '../../../platform/records/configuration.ts';

/** There are six aspect ratios, and one variant each. */
const ALL = 10;

/** What is laid over and put around clips of one aspect ratio. */
export interface Variant extends Stored {
  /** `16:9`, … */
  readonly aspect_ratio: string;
  readonly overlay_id?: string | null;
  readonly intro_id?: string | null;
  readonly outro_id?: string | null;
}

/** All of the branding; throws where that is not there. */
export async function variantsOf(configuration: Configuration, branding: string): Promise<Variant[]> {
  const parent = { type: 'brandings', kind: 'branding', id: branding };
  const place = { type: 'branding_variants', kind: 'branding variant', parent };
  const { ids } = await configuration.page(place, { skip: 0 }, ALL);
  return (await configuration.getMany(place, ids)) as Variant[];
}

/** Aspect ratios that the branding has variants for: `16:9`, … */
export const aspectsOf = async (configuration: Configuration, branding: string): Promise<string[]> =>
  (await variantsOf(configuration, branding)).map(({ aspect_ratio }) => aspect_ratio).sort();
