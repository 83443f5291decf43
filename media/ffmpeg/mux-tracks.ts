/** Adds audio tracks to media. Copies the packets of the media unchanged. */

import { openLocalFile, writeLocalFile } from './local-file.ts';
import type { MediaTools } from './media-tools.ts';
import { ffmpegOutput, openSafely, runFfprobe } from './run-ffmpeg.ts';
import type { OpenMedia } from './serve-ranges.ts';

export interface AddedTrack {
  /** An MP4 with one audio track. */
  readonly path: string;
  /** ISO 639-2, as files write it: "spa". */
  readonly language: string;
  readonly title: string;
  /** Whether players play it by default. If several are default, the first counts. */
  readonly isDefault: boolean;
}

export interface Muxing {
  readonly media: OpenMedia;
  readonly tracks: readonly AddedTrack[];
  /** Whether to leave out the sound of the media. */
  readonly replacesSound?: boolean;
  /** The language of one audio track, for a file that does not state it. */
  readonly spoken?: SpokenTrack;
}

export interface SpokenTrack {
  /** The number of the audio track, from 1. */
  readonly number: number;
  /** ISO 639-2. */
  readonly language: string;
}

export interface Muxed {
  readonly container: 'mp4' | 'mov' | 'matroska' | 'mpegts';
  readonly media_type: string;
  /** File name extension without a dot. */
  readonly extension: string;
}

interface MuxingOptions {
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Containers that the output keeps, by ffmpeg's names. All other containers become Matroska, which can hold the same
 * streams.
 */
const containers = {
  mp4: { container: 'mp4', media_type: 'video/mp4', extension: 'mp4' },
  mov: { container: 'mov', media_type: 'video/quicktime', extension: 'mov' },
  mpegts: { container: 'mpegts', media_type: 'video/mp2t', extension: 'ts' },
  matroska: { container: 'matroska', media_type: 'video/x-matroska', extension: 'mkv' },
} as const satisfies Record<string, Muxed>;

/**
 * Time limit for copying, which takes as long as reading. It is below the step's own limit of 15 minutes, so that the
 * job gets this error.
 */
const TIMEOUT_MS = 840_000;
const PROBE_TIMEOUT_MS = 120_000;
/** Room for headers, indexes, and the packets of the added tracks. */
const OVERHEAD_BYTES = 256 << 20;

/** Returns the container of the output, which depends on the media's own container. */
export async function outputContainer(
  { media }: Pick<Muxing, 'media'>,
  options: MuxingOptions,
): Promise<Muxed> {
  return (await facts(media, options)).muxed;
}

/**
 * Writes the media with the tracks added to their own sound, or instead of it. Copies picture and sound of the media packet by
 * packet. An MP4 has its index at the start.
 */
export async function muxTracks(
  muxing: Muxing & { readonly output: string },
  options: MuxingOptions,
): Promise<Muxed> {
  const { media, output } = muxing;
  const { muxed, kept } = await facts(media, options);
  const isOfBoxes = muxed.container === 'mp4' || muxed.container === 'mov';
  const args = [
    ...copying(muxing, kept),
    ...(isOfBoxes ? ['-movflags', '+faststart'] : []),
    ...writeLocalFile(output, muxed.container),
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  const file_bytes = Math.round(1.2 * media.size) + OVERHEAD_BYTES * (1 + muxing.tracks.length);
  for await (const _ of ffmpegOutput(options.tools, args, { ...running, file_bytes })) {
    // ffmpeg prints nothing.
  }
  return muxed;
}

/**
 * Streams the output, for media that are too large for the disk. An MP4 is then fragmented (ISO/IEC 14496-12 §8.8), since its
 * index would only be known at the end.
 */
export async function streamMuxed(
  muxing: Muxing,
  options: MuxingOptions,
): Promise<Muxed & { readonly bytes: AsyncGenerator<Buffer> }> {
  const { media } = muxing;
  const { muxed, kept } = await facts(media, options);
  const isOfBoxes = muxed.container === 'mp4' || muxed.container === 'mov';
  const args = [
    ...copying(muxing, kept),
    ...(isOfBoxes ? ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'] : []),
    ...['-f', muxed.container, 'pipe:1'],
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  return { ...muxed, bytes: ffmpegOutput(options.tools, args, running) };
}

/** The tracks of the media that are kept, in the order of the file. */
interface Kept {
  /** For each audio track: its dispositions (default, original, comment…), and whether it names a language. */
  readonly sounds: readonly { readonly dispositions: readonly string[]; readonly hasLanguage: boolean }[];
  /** Numbers of the subtitle tracks that the container can hold, from 0. */
  readonly subtitles: readonly number[];
}

/** Subtitle codecs that can be copied into each container. Other subtitles are left out. */
const subtitles: Readonly<Record<Muxed['container'], readonly string[]>> = {
  mp4: ['mov_text'],
  mov: ['mov_text'],
  mpegts: ['dvb_subtitle', 'dvb_teletext'],
  matroska: ['subrip', 'ass', 'webvtt', 'hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle'],
};

interface Answer {
  streams?: {
    codec_type?: string;
    codec_name?: string;
    disposition?: Record<string, number>;
    tags?: { language?: string };
  }[];
  format?: { format_name: string; tags?: { major_brand?: string } };
}

async function facts(
  media: OpenMedia,
  { tools, signal }: MuxingOptions,
): Promise<{ muxed: Muxed; kept: Kept }> {
  const wanted =
    'stream=codec_type,codec_name:stream_disposition:stream_tags=language:format=format_name:format_tags=major_brand';
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media, signal };
  const answer = (await runFfprobe(tools, ['-show_entries', wanted], options)) as Answer;
  const muxed = containers[containerOf(answer)];
  const ofType = (type: string) => (answer.streams ?? []).filter(({ codec_type }) => codec_type === type);
  const sounds = ofType('audio').map(({ disposition = {}, tags }) => ({
    hasLanguage: (tags?.language ?? 'und') !== 'und',
    dispositions: Object.keys(disposition).filter((one) => disposition[one] === 1),
  }));
  const held = subtitles[muxed.container];
  const numbers = ofType('subtitle').flatMap(({ codec_name = '' }, at) =>
    held.includes(codec_name) ? at : [],
  );
  return { muxed, kept: { sounds, subtitles: numbers } };
}

/** PCM in MP4, as cameras write it, becomes QuickTime: ffmpeg 5.1 cannot write PCM to MP4. */
function containerOf({ format, streams = [] }: Answer): keyof typeof containers {
  const name = format?.format_name ?? '';
  if (!name.startsWith('mov,')) return name === 'mpegts' ? name : 'matroska';
  const brand = format?.tags?.major_brand;
  const hasPcm = streams.some(({ codec_name }) => codec_name?.startsWith('pcm_'));
  return brand === undefined || brand.startsWith('qt') || hasPcm ? 'mov' : 'mp4';
}

/**
 * Arguments that read the media and the tracks, and copy all packets. The default track comes first: browsers play the first
 * track, even if the file marks another one as default.
 */
function copying(
  { media, tracks, replacesSound = false, spoken }: Muxing,
  { sounds, subtitles }: Kept,
): string[] {
  const preferred = tracks.findIndex(({ isDefault }) => isDefault);
  const added = tracks.map((track, at) => ({ ...track, map: `${at + 1}:a:0`, isFirst: at === preferred }));
  const first = added.filter(({ isFirst }) => isFirst);
  const behind = added.filter(({ isFirst }) => !isFirst);
  const own = (replacesSound ? [] : sounds).map(({ dispositions, hasLanguage }, at) => ({
    map: `0:a:${at}`,
    tags: spoken?.number === at + 1 && !hasLanguage ? [`language=${spoken.language}`] : [],
    dispositions: preferred < 0 ? dispositions : dispositions.filter((one) => one !== 'default'),
  }));
  const all: readonly OutputTrack[] = [...first.map(asOutput), ...own, ...behind.map(asOutput)];
  return [
    ...openSafely(media),
    ...tracks.flatMap(({ path }) => openLocalFile(path, 'mov,mp4,m4a,3gp,3g2,mj2')),
    ...['-map', '0:v?', ...all.flatMap(({ map }) => ['-map', map])],
    ...subtitles.flatMap((number) => ['-map', `0:s:${number}`]),
    ...['-c', 'copy', '-map_metadata', '0'],
    ...all.flatMap(({ tags = [], dispositions }, at) => [
      ...tags.flatMap((tag) => [`-metadata:s:a:${at}`, tag]),
      ...[`-disposition:a:${at}`, dispositions.length === 0 ? '0' : dispositions.join('+')],
    ]),
  ];
}

interface OutputTrack {
  readonly map: string;
  readonly tags?: readonly string[];
  readonly dispositions: readonly string[];
}

const asOutput = ({
  map,
  language,
  title,
  isFirst,
}: AddedTrack & { map: string; isFirst: boolean }): OutputTrack => ({
  map,
  tags: [`language=${language}`, `title=${title}`, `handler_name=${title}`],
  dispositions: isFirst ? ['default', 'dub'] : ['dub'],
});
