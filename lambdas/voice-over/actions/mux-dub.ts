/** Makes a video with a voice over: the exact picture of the upload, the new sound, and the original sound second. */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { muxTracks, type SpokenTrack, streamMuxed } from '../../../media/ffmpeg/mux-tracks.ts';
import type { MediaTools, OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import type { MuxedVideo } from '../../../shared/audio-tracks.ts';
import type { Language } from '../../../shared/languages.ts';
import type { RangeSource } from '../../../shared/media.ts';
import { threeLetterCode } from '../rules/language-codes.ts';

/** Videos larger than this are streamed to the bucket. Smaller ones fit on the step's disk, which has 10 GiB. */
const MOST_ON_DISK_BYTES = 8 * 2 ** 30;
const READ_BYTES = 8 << 20;

interface Muxing {
  readonly media: OpenMedia;
  readonly sound: RangeSource;
  readonly language: Language;
  /** The original audio track, whose language players show. */
  readonly spoken?: SpokenTrack;
  readonly key: string;
}

/** Makes the video. A repeat overwrites the same object. */
export async function muxDub(
  { media, sound, language, spoken, key }: Muxing,
  objects: MediaObjects,
  using: { readonly tools: MediaTools; readonly signal: AbortSignal },
): Promise<MuxedVideo> {
  return inWorkFolder('mux-dub', async (folder) => {
    const path = join(folder, 'sound.m4a');
    await pipeline(Readable.from(bytesOf(sound, using.signal)), createWriteStream(path));
    const track = {
      path,
      language: threeLetterCode(language.code),
      title: language.native_name,
      isDefault: true,
    };
    const muxing = { media, tracks: [track], ...(spoken && { spoken }) };
    const write = (bytes: AsyncIterable<Buffer>, media_type: string) =>
      objects.writeParts(key, bytes, media_type, using.signal);
    if (media.size > MOST_ON_DISK_BYTES) {
      const { bytes, media_type } = await streamMuxed(muxing, using);
      return { media_type, size_bytes: await write(bytes, media_type) };
    }
    const output = join(folder, 'video');
    const { media_type } = await muxTracks({ ...muxing, output }, using);
    return { media_type, size_bytes: await write(createReadStream(output), media_type) };
  });
}

async function* bytesOf(source: RangeSource, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size; at += READ_BYTES) {
    yield await source.read(at, Math.min(source.size, at + READ_BYTES) - 1, signal);
  }
}
