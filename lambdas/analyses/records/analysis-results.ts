/**
 * Findings of analyses. An item has at most 400 KB, so long results are gzipped JSON documents, and the item stores the
 * document's key: the lists of an asset (`AN#faces`) and the details of metadata (`MD#`).
 */
import { createWaveform, type Waveform } from '../../../media/sound/waveform.ts';
import { writeGzippedJson } from '../../../platform/objects/gzipped-json.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import { analysisList, readDocument } from '../../../platform/records/analysis-lists.ts';
import { AssetChildren } from '../../../platform/records/asset-children.ts';
import type { PageOfItems, Position } from '../../../platform/table/id-pages.ts';
import { analysisListKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import { checked } from '../../../shared/parse.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { AnalysisLists, MetadataDetails, MetadataHead } from '../rules/analysis-types.ts';

type Named = { readonly document: string };
type AnalysisName = keyof AnalysisLists | typeof WAVEFORM;

const WAVEFORM = 'waveform';

export class AnalysisResults {
  readonly #table: TenantTable;
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;
  readonly #metadata: AssetChildren<MetadataHead & Named>;

  constructor(table: TenantTable, objects: MediaObjects, tenant: TenantId) {
    this.#table = table;
    this.#objects = objects;
    this.#tenant = tenant;
    this.#metadata = new AssetChildren(table, tenant, { prefix: 'MD', name: 'metadata' });
  }

  /** The whole list; empty if the analysis has not run. */
  async list<Name extends keyof AnalysisLists>(assetId: AssetId, name: Name): Promise<AnalysisLists[Name][]> {
    const places = { table: this.#table, objects: this.#objects, tenant: this.#tenant };
    return (await analysisList<AnalysisLists[Name]>(assetId, name, places)) ?? [];
  }

  /** Replaces the list. A repeat by the same job writes the same list. */
  async writeList<Name extends keyof AnalysisLists>(
    assetId: AssetId,
    name: Name,
    jobId: JobId,
    found: readonly AnalysisLists[Name][],
  ): Promise<void> {
    const document = derivedKey(this.#tenant, assetId, { step: name, version: jobId, name: 'found.json.gz' });
    await this.#write(assetId, name, document, found);
  }

  async waveform(assetId: AssetId): Promise<Waveform> {
    const item = await this.#table.get<Named>(analysisListKey(this.#tenant, assetId, WAVEFORM));
    if (item === null) return createWaveform().end();
    return readDocument(item.document, this.#objects, checked<Waveform>({}));
  }

  async writeWaveform(assetId: AssetId, jobId: JobId, waveform: Waveform): Promise<void> {
    const document = derivedKey(this.#tenant, assetId, {
      step: WAVEFORM,
      version: jobId,
      name: 'peaks.json.gz',
    });
    await this.#write(assetId, WAVEFORM, document, waveform);
  }

  async #write(assetId: AssetId, name: AnalysisName, document: string, value: unknown) {
    await writeGzippedJson(document, this.#objects, value);
    await this.#table.put({ ...analysisListKey(this.#tenant, assetId, name), document });
  }

  /** Removes the analysis. Its document is removed with the other results of the job. */
  async forget(assetId: AssetId, name: AnalysisName): Promise<void> {
    await this.#table.delete(analysisListKey(this.#tenant, assetId, name));
  }

  /** Removes those of the given analyses that this job wrote. */
  async forgetOf(assetId: AssetId, jobId: JobId, names: readonly AnalysisName[]): Promise<void> {
    for (const name of names) {
      const key = analysisListKey(this.#tenant, assetId, name);
      const item = await this.#table.get<Named>(key);
      if (item?.document.includes(`/${jobId}/`)) await this.#table.delete(key);
    }
  }

  async metadataPage(assetId: AssetId, position: Position, size: number): Promise<PageOfItems<MetadataHead>> {
    const { items, ...page } = await this.#metadata.page(assetId, position, size);
    return { ...page, items: items.map(headOf) };
  }

  async metadata(assetId: AssetId, id: string): Promise<{ head: MetadataHead; details: MetadataDetails }> {
    const stored = await this.#metadata.get(assetId, id);
    const details = await readDocument(stored.document, this.#objects, checked<MetadataDetails>({}));
    return { head: headOf(stored), details };
  }

  /** Stores metadata. A repeat changes nothing. */
  async addMetadata(head: MetadataHead, details: MetadataDetails): Promise<void> {
    const { asset_id, metadata_id } = head;
    const document = derivedKey(this.#tenant, asset_id, {
      step: 'metadata',
      version: metadata_id,
      name: 'details.json.gz',
    });
    await writeGzippedJson(document, this.#objects, details);
    await this.#metadata.create(asset_id, metadata_id, { ...head, document });
  }

  /** Removes all metadata except `kept`. The documents are removed with the asset's other objects. */
  async removeMetadata(assetId: AssetId, kept?: string): Promise<void> {
    for (const { metadata_id } of await this.#metadata.list(assetId))
      if (metadata_id !== kept) await this.#metadata.delete(assetId, metadata_id).catch(noneFound);
  }
}

const headOf = ({ document: _, ...head }: MetadataHead & Named): MetadataHead => head;
