/** The framing spans of a clip's media: findings, and the centers of interest that callers set. */
import type { AutocenterSpan } from '../../../media/framing/autocenter-spans.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import { framedSpans } from '../../analyses/rules/framing.ts';
import type { Materials } from './clip-materials.ts';

interface Services {
  readonly tenant: TenantId;
  readonly table: TenantTable;
  readonly objects: MediaObjects;
}

/** The spans of the whole media, by time. Empty if the clip uses no automatic framing, or there is no data. */
export async function framingSpans(
  { framing }: Materials,
  { asset_id, duration_ms }: StoredAsset,
  { table, objects, tenant }: Services,
): Promise<AutocenterSpan[]> {
  if (framing === null) return [];
  const found = await new AnalysisResults(table, objects, tenant).list(asset_id, 'autocenter');
  return framedSpans(found, framing.centers, duration_ms);
}
