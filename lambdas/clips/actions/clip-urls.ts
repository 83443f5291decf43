/** Download URLs of clips and their posters. */

import { ADDRESS_LIFETIME_S, type Presigner } from '../../../platform/objects/presigner.ts';
import { languageById } from '../../../shared/languages.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { fileKey } from '../records/clip-keys.ts';
import type { Address } from '../rules/clip-outcomes.ts';
import type { ClipRender, VideoClip } from '../rules/clips.ts';
import { attachment, clipFileName } from '../rules/file-names.ts';

interface Services {
  readonly tenant: TenantId;
  readonly addresses: Presigner;
}

/** The URL gives the file a name that describes the clip, for browsers. */
export async function clipAddress(
  clip: VideoClip,
  { file }: Pick<ClipRender, 'file'>,
  asset: { readonly name: string },
  now: Date,
  { tenant, addresses }: Services,
): Promise<Address> {
  const language = languageById(clip.subtitles_language_id ?? '')?.code ?? null;
  const name = attachment(clipFileName(clip, asset, language));
  return {
    url: await addresses.download(fileKey(tenant, clip, file, 'clip.mp4'), name),
    expires_at: new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString(),
  };
}

/** Null if the clip has no poster. */
export async function posterUrl(clip: VideoClip, { tenant, addresses }: Services): Promise<string | null> {
  if (!clip.render?.has_poster) return null;
  return addresses.download(fileKey(tenant, clip, clip.render.file, 'poster.jpg'));
}
