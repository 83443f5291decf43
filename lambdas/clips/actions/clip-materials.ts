/** The current materials of clips: everything from which a clip is rendered. */
import { createHash } from 'node:crypto';
import { Configuration, type Stored } from '../../../platform/records/configuration.ts';
import { analysisListKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { SoundDescription } from '../../../shared/sound-descriptions.ts';
import { centersOfInterestOf } from '../../analyses/records/annotations.ts';
import type { CenterOfInterest } from '../../analyses/rules/analysis-types.ts';
import { placeOfFiles, type StoredFile } from '../../branding/records/branding-files.ts';
import { type Variant, variantsOf } from '../../branding/records/branding-variants.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import { transcriptionsOf } from '../../transcripts/lineage/records/transcriptions.ts';
import { isNear, ratioOfClip } from '../rules/aspects.ts';
import type { VideoClip } from '../rules/clips.ts';

/** A material is null if it was not requested or was deleted. */
export interface Materials {
  /** Identifies the upload of the media. */
  readonly source: string;
  readonly subtitles: StoredTranscription | null;
  readonly sounds: readonly SoundDescription[] | null;
  readonly framing: Framing | null;
  readonly branding: AppliedBranding | null;
}

interface Framing {
  /** Key of the analysis result; null before the analysis has run. */
  readonly document: string | null;
  readonly centers: readonly CenterOfInterest[];
}

export interface AppliedBranding {
  readonly style: Stored | null;
  readonly overlay: StoredFile | null;
  readonly intro: StoredFile | null;
  readonly outro: StoredFile | null;
}

export interface MaterialsServices {
  readonly table: TenantTable;
  readonly tenant: TenantId;
}

export type MaterialsOf = (clip: VideoClip) => Promise<Materials>;

export function materialsOf(asset: StoredAsset, { table, tenant }: MaterialsServices): MaterialsOf {
  const { asset_id } = asset;
  const once = createCache();
  const configuration = new Configuration(table, tenant);
  const heads = () => once('heads', () => transcriptionsOf(table, tenant, asset_id));
  const sounds = () => once('sounds', () => soundDescriptionsOf(table, tenant).list(asset_id));
  const framing = () =>
    once('framing', async () => {
      const [found, centers] = await Promise.all([
        table.get<{ document: string }>(analysisListKey(tenant, asset_id, 'autocenter')),
        centersOfInterestOf(table, tenant).list(asset_id),
      ]);
      return { document: found?.document ?? null, centers };
    });
  const branding = (id: string, ratio: number | null) =>
    once(`branding ${id} ${ratio}`, () => appliedBranding(id, ratio, configuration));
  return async (clip) => {
    const language = clip.subtitles_language_id;
    const isAutoframed = clip.autoframing && clip.aspect_ratio_x !== null;
    const [known, described, framed, applied] = await Promise.all([
      language === null ? [] : heads(),
      language !== null && clip.with_sound_descriptions ? sounds() : null,
      isAutoframed ? framing() : null,
      clip.branding_id === null ? null : branding(clip.branding_id, ratioOfClip(clip, asset)),
    ]);
    return {
      source: sourceVersion(asset),
      subtitles: known.findLast(({ language_id }) => language_id === language) ?? null,
      sounds: described,
      framing: framed,
      branding: applied,
    };
  };
}

/** Identifies the media by the job of the last processed upload, or by its size in assets without a job. */
const sourceVersion = ({ ingest_job_id, size_bytes }: StoredAsset) => ingest_job_id ?? `${size_bytes} bytes`;

/** A short hash that changes if anything visible in the clip changes. */
export function materialsHash({ source, subtitles, sounds, framing, branding }: Materials): string {
  const facts = {
    source,
    subtitles: subtitles && [subtitles.transcription_id, subtitles.version],
    sounds: sounds?.map(({ description_id, version }) => [description_id, version]),
    framing: framing && [framing.document, framing.centers.map(({ coi_id, version }) => [coi_id, version])],
    style: branding?.style && lookOf(branding.style),
    files: branding && [branding.overlay, branding.intro, branding.outro].map(fileOf),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16);
}

/** The members of a subtitle style that change the picture. The style's name, for example, does not. */
function lookOf(style: Stored): [string, unknown][] {
  const unseen = ['pk', 'sk', 'id', 'name', 'version', 'created_at', 'updated_at'];
  return Object.entries(style)
    .filter(([name]) => !unseen.includes(name))
    .sort();
}

const fileOf = (file: StoredFile | null) => file && [file.id, file.status, file.upload_job_id ?? null];

async function appliedBranding(
  id: string,
  ratio: number | null,
  configuration: Configuration,
): Promise<AppliedBranding | null> {
  const branding = await configuration.get({ type: 'brandings', kind: 'branding' }, id).catch(noneFound);
  if (branding === null) return null;
  const variants = await variantsOf(configuration, id).catch(noneFound);
  const variant = variants?.find(({ aspect_ratio }) => ratio !== null && isNear(ratio, aspect_ratio));
  const styles = { type: 'branding_subtitle_styles', kind: 'branding subtitle style' };
  const found = (place: Parameters<Configuration['get']>[0], item: unknown) =>
    typeof item === 'string' ? configuration.get(place, item).catch(noneFound) : null;
  const file = (type: 'branding_overlays' | 'branding_clips', member: keyof Variant) =>
    found(placeOfFiles(type), variant?.[member]) as Promise<StoredFile | null>;
  const [style, overlay, intro, outro] = await Promise.all([
    found(styles, branding.subtitle_style_id),
    file('branding_overlays', 'overlay_id'),
    file('branding_clips', 'intro_id'),
    file('branding_clips', 'outro_id'),
  ]);
  return { style, overlay, intro, outro };
}

function createCache() {
  const known = new Map<string, Promise<unknown>>();
  return <Found>(name: string, read: () => Promise<Found>): Promise<Found> => {
    if (!known.has(name)) known.set(name, read());
    return known.get(name) as Promise<Found>;
  };
}
