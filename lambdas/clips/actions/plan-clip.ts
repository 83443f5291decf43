/** Plans a clip: the part of the media, its framing, subtitles and branding, and the chunks to render. */
import { createHash } from 'node:crypto';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { CropPath } from '../../../media/framing/crop-path.ts';
import { openFonts } from '../../../media/rendering/choose-font.ts';
import { inspectSource } from '../../../media/rendering/inspect-source.ts';
import { chunkIdentity, soundIdentity } from '../../../media/rendering/part-identity.ts';
import { outputOf, planRender } from '../../../media/rendering/plan-render.ts';
import type { Chunk, RenderedFile, RenderPlan, RenderSource } from '../../../media/rendering/render-plan.ts';
import { plainStyle, type SubtitleStyle } from '../../../media/rendering/subtitle-style.ts';
import { writeAss } from '../../../media/rendering/write-ass.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { type StoredAsset, transcribedTrack } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { languageUnsupported, mediaUnreadable } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import type { StoredFile } from '../../branding/records/branding-files.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import type { PlannedFile } from '../records/clip-files.ts';
import { cuesOfClip } from '../rules/clip-cues.ts';
import type { ClipNote, VideoClip } from '../rules/clips.ts';
import { type FrameSpan, framesOf, timeOf } from '../rules/frames.ts';
import { clipPath } from '../rules/framing.ts';
import { type Materials, materialsHash } from './clip-materials.ts';
import type { ClipServices } from './clip-step.ts';
import { framingSpans } from './current-framing.ts';

interface Planning extends ClipServices {
  readonly asset: StoredAsset;
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface ClipToPlan {
  readonly clip: VideoClip;
  readonly span: FrameSpan;
  readonly source: RenderSource;
  readonly output: RenderPlan['output'];
  readonly materials: Materials;
}

/** Throws a JobError if the clip cannot be made from its materials. */
export async function planClip(
  clip: VideoClip,
  materials: Materials,
  planning: Planning,
): Promise<PlannedFile> {
  const source = await sourceOf(materials, planning);
  const { duration_ms } = planning.asset;
  const span = framesOf(clip, { ...source, duration_ms });
  const { aspect_ratio_x: x, aspect_ratio_y: y } = clip;
  const output = outputOf(source, x === null ? null : { x, y: defined(y) });
  const notes: ClipNote[] = [];
  const { overlay, intro, outro } = brandingFiles(clip, materials, notes);
  const plan = planRender({
    source,
    ...span,
    output,
    framing: await framingOf({ clip, source, materials }, planning, notes),
    subtitles: await subtitlesOf({ clip, span, source, output, materials }, planning, notes),
    ...{ overlay, intro, outro },
    // With an intro or outro, the loudness of the media is adjusted to avoid a sudden change.
    loudness: intro === null && outro === null ? 'kept' : 'programme',
  });
  const nameOf = (identity: string) => fingerprint(`${materials.source}\n${identity}`);
  const chunks = plan.chunks.map((_, at) => nameOf(chunkIdentity(plan, at)));
  const sound = nameOf(soundIdentity(plan));
  const file = fingerprint([...chunks, sound].join('\n'));
  const about = {
    file,
    made_of: materialsHash(materials),
    planned_at: planning.now.toISOString(),
    notes: [...plan.notes, ...notes],
  };
  return { plan, about, chunks, sound };
}

/** Duration of a chunk, ms, for metering. */
export const durationOf = ({ start_frame, end_frame }: Chunk, { output }: RenderPlan): number =>
  timeOf(end_frame - start_frame, output.frame_rate);

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** The facts of the source media. They are probed once and stored. */
async function sourceOf(materials: Materials, planning: Planning): Promise<RenderSource> {
  const { asset, files, signal } = planning;
  const known = await files.source(asset.asset_id, materials.source);
  if (known !== null) return known;
  const bytes = await requireSource(asset, planning);
  const chosen = { audio_track: transcribedTrack(asset) };
  const look = (media: Parameters<typeof inspectSource>[1]) =>
    inspectSource(mediaTools, media, chosen, signal);
  const found = await withOpenMedia(bytes, look, signal);
  await files.writeSource(asset.asset_id, materials.source, found);
  return found;
}

/** The crop path; null to show the middle or the whole picture. */
async function framingOf(
  { clip, source, materials }: Pick<ClipToPlan, 'clip' | 'source' | 'materials'>,
  planning: Planning,
  notes: ClipNote[],
): Promise<CropPath | null> {
  if (materials.framing === null) return null;
  const { asset } = planning;
  const spans = await framingSpans(materials, asset, planning);
  if (spans.length > 0) return clipPath(clip, { ...source, duration_ms: asset.duration_ms }, spans);
  const detail = 'The asset has no framing data, so the clip shows the middle of the picture.';
  notes.push({ code: 'framing_unknown', detail });
  return null;
}

/** Overlay, intro and outro. Throws if one has no file: the clip would lack the requested branding. */
function brandingFiles(
  { branding_id }: VideoClip,
  { branding }: Materials,
  notes: ClipNote[],
): Record<'overlay' | 'intro' | 'outro', RenderedFile | null> {
  if (branding_id !== null && branding === null)
    notes.push({
      code: 'branding_deleted',
      detail: 'The branding was deleted, so the clip is rendered without it.',
    });
  return {
    overlay: usable(branding?.overlay),
    intro: usable(branding?.intro),
    outro: usable(branding?.outro),
  };
}

function usable(stored: StoredFile | null | undefined): RenderedFile | null {
  if (!stored) return null;
  const { id, name, status, file } = stored;
  if (status === 'ready' && file) return file;
  throw mediaUnreadable(
    `The branding file “${name}” (${id}) is ${status}, not ready. Upload it, or remove it from the branding variant.`,
  );
}

async function subtitlesOf(
  { clip, span: { start_frame, end_frame }, source: { frame_rate }, output, materials }: ClipToPlan,
  { table, objects, tenant }: Planning,
  notes: ClipNote[],
) {
  const { subtitles, sounds, branding } = materials;
  const language = languageById(clip.subtitles_language_id ?? '');
  if (language === undefined) return null;
  if (subtitles === null) {
    throw languageUnsupported(
      `The asset has no transcription in ${language.name} any more. Translate it, or create a clip without these subtitles.`,
    );
  }
  const transcriptions = new Transcriptions(table, objects, tenant);
  const text = {
    segments: await transcriptions.segments(subtitles).catch(whenDeleted),
    sounds: sounds ?? [],
    language: language.code,
  };
  const span = { start_ms: timeOf(start_frame, frame_rate), end_ms: timeOf(end_frame, frame_rate) };
  const cues = cuesOfClip(text, span);
  if (cues.length === 0) {
    notes.push({ code: 'subtitles_empty', detail: 'The clip has no speech, so it has no subtitles.' });
    return null;
  }
  const style = { ...plainStyle, ...given(branding?.style ?? {}) };
  const picture = { ...output, matrix: output.colour.matrix };
  return writeAss(cues, style, picture, { fonts: openFonts(), language: language.code });
}

const given = (style: object): Partial<SubtitleStyle> =>
  Object.fromEntries(Object.entries(style).filter(([name, value]) => isOfStyle(name) && value !== null));

/** Whether the name is a member of a subtitle style. `plainStyle` lacks two members that are off by default. */
const isOfStyle = (name: string) =>
  name in plainStyle || name === 'shadow_color' || name === 'background_color';
