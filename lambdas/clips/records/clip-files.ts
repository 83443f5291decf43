/**
 * Objects of clips in the media bucket. Each file has a plan, the video, facts and a poster. Files share chunks and
 * sounds, whose names depend on their content, so that none is rendered twice. While a job renders, copies of branding
 * files are stored too.
 */
import type { RenderPlan, RenderSource } from '../../../media/rendering/render-plan.ts';
import { readGzippedJson, writeGzippedJson } from '../../../platform/objects/gzipped-json.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import type { RangeSource } from '../../../shared/media.ts';
import { checked, list, parseJson, text } from '../../../shared/parse.ts';
import type { ClipRender } from '../rules/clips.ts';

export interface ClipIds {
  readonly asset_id: AssetId;
  readonly video_clip_id: string;
}

const clipPrefix = (tenant: TenantId, { asset_id, video_clip_id }: ClipIds): string =>
  derivedKey(tenant, asset_id, { step: 'clips', version: video_clip_id, name: '' });

export const fileKey = (
  tenant: TenantId,
  ids: ClipIds,
  file: string,
  name: 'plan.json.gz' | 'clip.mp4' | 'facts.json' | 'poster.jpg',
): string => `${clipPrefix(tenant, ids)}files/${file}/${name}`;

/** Key of a chunk or sound, which files with the same content share. */
const pieceKey = (tenant: TenantId, ids: ClipIds, name: string): string =>
  `${clipPrefix(tenant, ids)}pieces/${name}`;

/** Key of a copy of a branding file, so that a running job does not depend on later uploads or deletions. */
const materialKey = (tenant: TenantId, ids: ClipIds, key: string): string =>
  `${clipPrefix(tenant, ids)}materials/${key.slice(key.lastIndexOf('/') + 1)}`;

export interface PlannedFile {
  readonly plan: RenderPlan;
  /** The facts that are known when the file is planned. */
  readonly about: Pick<ClipRender, 'file' | 'made_of' | 'planned_at' | 'notes'>;
  /** Names of the chunks, in the order of the plan. */
  readonly chunks: readonly string[];
  readonly sound: string;
}

const clipRender = checked<ClipRender>({ file: text, made_of: text });
const renderSource = checked<RenderSource>({});
const plannedFile = checked<PlannedFile>({
  plan: checked<RenderPlan>({}),
  about: checked<PlannedFile['about']>({ file: text, made_of: text }),
  chunks: list(text),
  sound: text,
});

const SILENT = 0;

export class ClipFiles {
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;

  constructor(objects: MediaObjects, tenant: TenantId) {
    this.#objects = objects;
    this.#tenant = tenant;
  }

  async writePlan(ids: ClipIds, planned: PlannedFile): Promise<void> {
    const key = fileKey(this.#tenant, ids, planned.about.file, 'plan.json.gz');
    await writeGzippedJson(key, this.#objects, planned);
  }

  async plan(ids: ClipIds, file: string): Promise<PlannedFile> {
    const planned = await this.findPlan(ids, file);
    if (planned === null) throw new Error('The plan of a clip is missing');
    return planned;
  }

  findPlan(ids: ClipIds, file: string): Promise<PlannedFile | null> {
    const key = fileKey(this.#tenant, ids, file, 'plan.json.gz');
    return readGzippedJson(key, this.#objects, plannedFile);
  }

  async present(ids: ClipIds, names: readonly string[]): Promise<ReadonlySet<string>> {
    const prefix = pieceKey(this.#tenant, ids, '');
    const there = new Set((await this.#objects.keys(prefix)).map((key) => key.slice(prefix.length)));
    return new Set(names.filter((name) => there.has(name)));
  }

  async hasPiece(ids: ClipIds, name: string): Promise<boolean> {
    return (await this.#objects.size(pieceKey(this.#tenant, ids, name))) !== null;
  }

  /** The bytes of a piece; null for silence. Throws if it is missing. */
  async piece(ids: ClipIds, name: string): Promise<RangeSource | null> {
    const source = await this.#objects.source(pieceKey(this.#tenant, ids, name));
    if (source === null) throw new Error('A piece of a clip is missing');
    return source.size === SILENT ? null : source;
  }

  async writePiece(
    ids: ClipIds,
    name: string,
    bytes: AsyncIterable<Buffer> | null,
    signal: AbortSignal,
  ): Promise<void> {
    const key = pieceKey(this.#tenant, ids, name);
    if (bytes === null) await this.#objects.write(key, new Uint8Array(SILENT), 'video/mp4');
    else await this.#objects.writeParts(key, bytes, 'video/mp4', signal);
  }

  /** Stores copies of the plan's branding files until `removeMaterials`. False if one was replaced or deleted. */
  async keepMaterials(ids: ClipIds, { overlay, intro, outro }: RenderPlan): Promise<boolean> {
    const keys = new Set([overlay, intro, outro].flatMap((file) => file?.key ?? []));
    const kept = await Promise.all([...keys].map((key) => this.#keepMaterial(ids, key)));
    return kept.every(Boolean);
  }

  async #keepMaterial(ids: ClipIds, key: string): Promise<boolean> {
    const copy = materialKey(this.#tenant, ids, key);
    return (await this.#objects.size(copy)) !== null || this.#objects.copy(key, copy);
  }

  async material(ids: ClipIds, key: string): Promise<RangeSource> {
    const source = await this.#objects.source(materialKey(this.#tenant, ids, key));
    if (source === null) throw new Error('A file that a clip is made of is missing');
    return source;
  }

  removeMaterials(ids: ClipIds): Promise<void> {
    return this.#objects.deleteAll(materialKey(this.#tenant, ids, ''));
  }

  writeClip(ids: ClipIds, file: string, bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number> {
    return this.#objects.writeParts(fileKey(this.#tenant, ids, file, 'clip.mp4'), bytes, 'video/mp4', signal);
  }

  clip(ids: ClipIds, file: string): Promise<RangeSource | null> {
    return this.#objects.source(fileKey(this.#tenant, ids, file, 'clip.mp4'));
  }

  writePoster(ids: ClipIds, file: string, jpeg: Uint8Array): Promise<void> {
    return this.#objects.write(fileKey(this.#tenant, ids, file, 'poster.jpg'), jpeg, 'image/jpeg');
  }

  /** Writes the facts of a file. Call this last: a file with facts counts as complete. */
  writeFacts(ids: ClipIds, render: ClipRender): Promise<void> {
    const key = fileKey(this.#tenant, ids, render.file, 'facts.json');
    return this.#objects.write(key, JSON.stringify(render), 'application/json');
  }

  /** The facts of a complete file; null if the file does not exist. */
  async facts(ids: ClipIds, file: string): Promise<ClipRender | null> {
    const bytes = await this.#objects.read(fileKey(this.#tenant, ids, file, 'facts.json'));
    return bytes === null ? null : parseJson(clipRender, bytes);
  }

  /** The facts of the source media; null if no rendering has probed it yet. */
  source(assetId: AssetId, version: string): Promise<RenderSource | null> {
    return readGzippedJson(this.#sourceKey(assetId, version), this.#objects, renderSource);
  }

  async writeSource(assetId: AssetId, version: string, source: RenderSource): Promise<void> {
    await writeGzippedJson(this.#sourceKey(assetId, version), this.#objects, source);
  }

  #sourceKey(assetId: AssetId, version: string): string {
    return derivedKey(this.#tenant, assetId, { step: 'clip_source', version, name: 'facts.json.gz' });
  }

  /** Removes all objects of a clip, except those of `file` and its pieces. If `file` is null, removes all. */
  async removeOthers(ids: ClipIds, file: string | null): Promise<void> {
    const prefix = clipPrefix(this.#tenant, ids);
    if (file === null) return this.#objects.deleteAll(prefix);
    const planned = await this.findPlan(ids, file);
    const pieces = planned === null ? [] : [...planned.chunks, planned.sound];
    const names = ['plan.json.gz', 'clip.mp4', 'facts.json', 'poster.jpg'] as const;
    const kept = [
      ...names.map((name) => fileKey(this.#tenant, ids, file, name)),
      ...pieces.map((name) => pieceKey(this.#tenant, ids, name)),
    ];
    return this.#objects.deleteOthers(prefix, new Set(kept));
  }
}
