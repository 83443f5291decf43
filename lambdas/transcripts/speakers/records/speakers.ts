/** The stored speakers of an asset. Names are unique, because segments can refer to speakers by name. */
import type { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import { AssetChildren } from '../../../../platform/records/asset-children.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../../shared/ids.ts';
import { Assets } from '../../../assets/records/assets.ts';
import { Transcriptions } from '../../lineage/records/transcriptions.ts';
import type { Speaker } from '../rules/speakers.ts';

export const speakersOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<Speaker>(table, tenant, { prefix: 'SPK', name: 'speaker', unique: 'name' });

/** The records that are needed to read and edit transcriptions. */
export const transcriptRecordsOf = (table: TenantTable, objects: MediaObjects, tenant: TenantId) => ({
  assets: new Assets(table, tenant),
  speakers: speakersOf(table, tenant),
  transcriptions: new Transcriptions(table, objects, tenant),
});
