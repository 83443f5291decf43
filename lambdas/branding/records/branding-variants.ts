import type { Configuration, Stored } from '../../../platform/records/configuration.ts';

/** Page size. A branding has at most one variant for each of the six aspect ratios. */
const ALL = 10;

export interface Variant extends Stored {
  /** `16:9`, … */
  readonly aspect_ratio: string;
  readonly overlay_id?: string | null;
  readonly intro_id?: string | null;
  readonly outro_id?: string | null;
}

export async function variantsOf(configuration: Configuration, branding: string): Promise<Variant[]> {
  const parent = { type: 'brandings', kind: 'branding', id: branding };
  const place = { type: 'branding_variants', kind: 'branding variant', parent };
  const { ids } = await configuration.page(place, { skip: 0 }, ALL);
  return (await configuration.getMany(place, ids)) as Variant[];
}

export const aspectsOf = async (configuration: Configuration, branding: string): Promise<string[]> =>
  (await variantsOf(configuration, branding)).map(({ aspect_ratio }) => aspect_ratio).sort();
