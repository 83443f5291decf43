import { AssetChildren } from '../../../platform/records/asset-children.ts';
import { absent, childKey } from '../../../platform/table/keys.ts';
import type { TenantTable, Write } from '../../../platform/table/tenant-table.ts';
import type { StoredAudioTrack } from '../../../shared/audio-tracks.ts';
import { namedId } from '../../../shared/derived-ids.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';

const kind = { prefix: 'TRK', name: 'audio track' };

export const audioTracksOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<StoredAudioTrack>(table, tenant, kind);

/** The id of a language's track: always the same, and after the original sound in lists that are ordered by id. */
export function dubIdOf(assetId: AssetId, languageId: string): string {
  const milliseconds = Number.parseInt(assetId.replace('-', '').slice(0, 12), 16);
  return namedId(new Date(milliseconds + 1), `${assetId}#${languageId}#voice_over`);
}

/** The write that replaces a track. It fails if the track has changed since it was read. */
export function replaceWrite(
  tenant: TenantId,
  track: StoredAudioTrack,
  before: StoredAudioTrack | null,
): Write {
  const put = { ...childKey(tenant, track.asset_id, kind.prefix, track.audio_track_id), ...track };
  if (before === null) return { put, condition: absent };
  return { put, condition: 'version = :seen', values: { seen: before.version } };
}
