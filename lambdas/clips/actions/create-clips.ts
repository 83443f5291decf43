import type { Caller } from '../../../platform/kernel/resource.ts';
import type { Configuration } from '../../../platform/records/configuration.ts';
import { type Reference, referencesIn, requireReferences } from '../../../platform/records/references.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { derivedId } from '../../../shared/derived-ids.ts';
import { Inconsistent, UnknownReference } from '../../../shared/problems.ts';
import { requireReady } from '../../assets/rules/require-ready.ts';
import { aspectsOf } from '../../branding/records/branding-variants.ts';
import type { Clips } from '../records/clips.ts';
import { brandingFaults } from '../rules/aspects.ts';
import type { ClipView } from '../rules/clip-view.ts';
import { type GivenClip, newClips, requirePicture, type VideoClip } from '../rules/clips.ts';
import { clipViewer, type ShowServices } from './show-clips.ts';

/**
 * Returns the views of the clips. A repeat with the same resource id returns the same clips. Throws invalid_state if the asset is not
 * ready, and validation_failed or unknown_reference if a clip does not fit the asset, its branding or its subtitles.
 */
export async function createClips(
  asset: StoredAsset,
  given: readonly GivenClip[],
  { now, newResourceId }: Pick<Caller, 'now' | 'newResourceId'>,
  services: ShowServices & { readonly clips: Clips; readonly configuration: Configuration },
): Promise<ClipView[]> {
  const { tenant, table, clips, configuration } = services;
  requirePicture(requireReady(asset));
  const fresh = newClips(given, asset, now, (at) => derivedId(newResourceId, at));
  await requireReferences(table, tenant, referencesOf(given));
  await requireVariants(given, asset, configuration);
  requireSubtitles(fresh, asset.languages);
  return Promise.all((await clips.create(asset.asset_id, fresh)).map(clipViewer(asset, services)));
}

const referencesOf = (clips: readonly GivenClip[]): Reference[] =>
  clips.flatMap((clip, at) =>
    referencesIn(clip, ['branding_id', 'subtitles_language_id'], `/video_clips/${at}`),
  );

async function requireVariants(
  clips: readonly GivenClip[],
  asset: StoredAsset,
  configuration: Configuration,
): Promise<void> {
  const brandings = [...new Set(clips.flatMap(({ branding_id }) => branding_id ?? []))];
  const aspects = await Promise.all(
    brandings.map(async (id) => [id, await aspectsOf(configuration, id)] as const),
  );
  const faults = brandingFaults(clips, asset, new Map(aspects));
  if (faults.length > 0) throw new Inconsistent(faults);
}

function requireSubtitles(clips: readonly VideoClip[], languages: readonly string[]): void {
  const missing = clips.flatMap(({ subtitles_language_id: id }, at) =>
    id === null || languages.includes(id)
      ? []
      : [{ pointer: `/video_clips/${at}/subtitles_language_id`, kind: 'transcription in the language', id }],
  );
  if (missing.length > 0) throw new UnknownReference(missing);
}
