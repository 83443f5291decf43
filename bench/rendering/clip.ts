/**
 * Renders a clip, or one chunk of a clip, as the steps do, in a separate process: `node clip.ts <media> <folder>
 * <wish> [chunk]`.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withOpenMedia } from '../../media/ffmpeg/serve-ranges.ts';
import { openFonts } from '../../media/rendering/choose-font.ts';
import { inspectSource } from '../../media/rendering/inspect-source.ts';
import { joinClip } from '../../media/rendering/join-clip.ts';
import { outputOf, planRender } from '../../media/rendering/plan-render.ts';
import { renderChunk } from '../../media/rendering/render-chunk.ts';
import type { Chunk } from '../../media/rendering/render-plan.ts';
import { renderSound } from '../../media/rendering/render-sound.ts';
import { plainStyle } from '../../media/rendering/subtitle-style.ts';
import { writeAss } from '../../media/rendering/write-ass.ts';
import type { RangeSource } from '../../shared/media.ts';
import { CLIP, CUES, cropsOf } from './clips.ts';

const [media = '', folder = '', wish = 'wide', chunk] = process.argv.slice(2);
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };

const sourceOf = async (path: string): Promise<RangeSource> => {
  const bytes = await readFile(path);
  return { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) };
};

await mkdir(folder, { recursive: true });
await withOpenMedia(await sourceOf(media), async (opened) => {
  const source = await inspectSource(tools, opened, { audio_track: 1 });
  const output = outputOf(source, wish === 'tall' ? { x: 9, y: 16 } : null);
  const subtitles = writeAss(CUES, plainStyle, output, { fonts: openFonts() });
  const framing = wish === 'tall' ? cropsOf(source) : null;
  const nothing = { overlay: null, intro: null, outro: null, loudness: 'kept' } as const;
  const planned = planRender({ source, ...CLIP, output, framing, subtitles, ...nothing });
  const io = { tools, source: opened, folder };
  if (chunk !== undefined) {
    const middle = (CLIP.start_frame + CLIP.end_frame) / 2;
    const both = [CLIP.start_frame, middle].map((start_frame): Chunk => {
      return { part: 'clip', how: 'encode', start_frame, end_frame: start_frame + middle - CLIP.start_frame };
    });
    await renderChunk({ ...planned, chunks: both }, Number(chunk), io);
    return;
  }
  const picture = await renderChunk(planned, 0, io);
  const sound = await renderSound(planned, io);
  const parts = { chunks: [await sourceOf(picture.path)], sound: sound && (await sourceOf(sound.path)) };
  const { bytes } = await joinClip(planned, parts);
  await pipeline(bytes, createWriteStream(join(folder, 'clip.mp4')));
});
