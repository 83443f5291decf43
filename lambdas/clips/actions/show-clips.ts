/** Clips as callers see them: with staleness, download URLs and poster URLs. */
import { createHash } from 'node:crypto';
import { addressEnd, type Presigner } from '../../../platform/objects/presigner.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import { languageById } from '../../../shared/languages.ts';
import { fileKey } from '../records/clip-files.ts';
import type { Address } from '../rules/clip-outcomes.ts';
import { type ClipView, clipView } from '../rules/clip-view.ts';
import type { ClipRender, VideoClip } from '../rules/clips.ts';
import { attachment, clipFileName } from '../rules/file-names.ts';
import { materialsHash, materialsOf } from './clip-materials.ts';
import type { ClipServices } from './clip-step.ts';

export interface ShowServices extends Pick<ClipServices, 'tenant' | 'table'> {
  readonly addresses: Presigner;
}

type AddressServices = Omit<ShowServices, 'table'>;

export function clipViewer(
  asset: StoredAsset,
  services: ShowServices,
): (clip: VideoClip) => Promise<ClipView> {
  const materials = materialsOf(asset, services);
  return async (clip) => {
    const made_of = clip.render ? materialsHash(await materials(clip)) : null;
    return clipView(clip, { made_of, thumbnail_url: await posterUrl(clip, services) });
  };
}

/** The ETag depends on the view, because a clip becomes stale without a new version. It ignores the poster URL. */
export function clipEtag({ version }: VideoClip, { thumbnail_url: _, ...view }: ClipView): string {
  const seen = createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 10);
  return `${version}-${seen}`;
}

/** A temporary URL of the clip's file. Browsers save the file under a name that describes the clip. */
export async function clipAddress(
  { clip, render: { file } }: { readonly clip: VideoClip; readonly render: Pick<ClipRender, 'file'> },
  asset: Pick<StoredAsset, 'name'>,
  now: Date,
  { tenant, addresses }: AddressServices,
): Promise<Address> {
  const language = languageById(clip.subtitles_language_id ?? '')?.code ?? null;
  const name = attachment(clipFileName(clip, asset, language));
  return {
    url: await addresses.download(fileKey(tenant, clip, file, 'clip.mp4'), name),
    expires_at: addressEnd(now),
  };
}

async function posterUrl(clip: VideoClip, { tenant, addresses }: AddressServices): Promise<string | null> {
  if (!clip.render?.has_poster) return null;
  return addresses.download(fileKey(tenant, clip, clip.render.file, 'poster.jpg'));
}
