/** Adds audio tracks to media. Copies the packets of the media unchanged. */
import { openLocalFile, writeLocalFile } from './local-file.ts';
import type { ProbeAnswer } from './probe-answer.ts';
import { ffmpegOutput, openSafely, runFfprobe } from './run-ffmpeg.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

export interface AddedTrack {
  /** An MP4 with one audio track. */
  readonly path: string;
  /** The ISO 639-2 code, as media files contain it: "spa". */
  readonly language: string;
  readonly title: string;
  /** Whether players play this track by default. If several tracks are marked, the first one counts. */
  readonly isDefault: boolean;
}

export interface Muxing {
  readonly media: OpenMedia;
  readonly tracks: readonly AddedTrack[];
  /** The language of one audio track of the media, for files that do not state it. */
  readonly spoken?: SpokenTrack;
}

export interface SpokenTrack {
  /** The number of the audio track, from 1. */
  readonly number: number;
  /** The ISO 639-2 code. */
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

/** The containers that the output keeps (ffmpeg's names). Media in other containers become Matroska, which can contain the same streams. */
const containers = {
  mp4: { container: 'mp4', media_type: 'video/mp4', extension: 'mp4' },
  mov: { container: 'mov', media_type: 'video/quicktime', extension: 'mov' },
  mpegts: { container: 'mpegts', media_type: 'video/mp2t', extension: 'ts' },
  matroska: { container: 'matroska', media_type: 'video/x-matroska', extension: 'mkv' },
} as const satisfies Record<string, Muxed>;

/** Time limit, ms. It is shorter than the step's limit of 15 minutes, so that the job gets the error of this limit. */
const TIMEOUT_MS = 840_000;
const PROBE_TIMEOUT_MS = 120_000;
/** Space for headers, indexes, and the packets of the added tracks. */
const OVERHEAD_BYTES = 256 << 20;

/** Adds the tracks to the sound of the media. An MP4 has its index at the start. */
export async function muxTracks(muxing: Muxing & { readonly output: string }, options: MuxingOptions) {
  const { media, output } = muxing;
  const { muxed, kept } = await facts(media, options);
  const args = [
    ...copying(muxing, kept),
    ...indexed(muxed, '+faststart'),
    ...writeLocalFile(output, muxed.container),
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  const file_bytes = Math.round(1.2 * media.size) + OVERHEAD_BYTES * (1 + muxing.tracks.length);
  for await (const _ of ffmpegOutput(options.tools, args, { ...running, file_bytes })) {
    // ffmpeg prints nothing here. The loop waits until ffmpeg ends.
  }
  return muxed;
}

/** Yields the output in pieces, for media that are too large for the disk. The output in MP4 is fragmented (ISO/IEC 14496-12 §8.8). */
export async function streamMuxed(muxing: Muxing, options: MuxingOptions) {
  const { media } = muxing;
  const { muxed, kept } = await facts(media, options);
  const args = [
    ...copying(muxing, kept),
    ...indexed(muxed, '+frag_keyframe+empty_moov+default_base_moof'),
    ...['-f', muxed.container, 'pipe:1'],
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  return { ...muxed, bytes: ffmpegOutput(options.tools, args, running) };
}

const indexed = ({ container }: Muxed, flags: string): string[] =>
  container === 'mp4' || container === 'mov' ? ['-movflags', flags] : [];

type Kept = Awaited<ReturnType<typeof facts>>['kept'];

/** Subtitle codecs that can be copied into each container. Other subtitles are left out. */
const subtitles: Readonly<Record<Muxed['container'], readonly string[]>> = {
  mp4: ['mov_text'],
  mov: ['mov_text'],
  mpegts: ['dvb_subtitle', 'dvb_teletext'],
  matroska: ['subrip', 'ass', 'webvtt', 'hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle'],
};

async function facts(media: OpenMedia, { tools, signal }: MuxingOptions) {
  const wanted =
    'stream=codec_type,codec_name:stream_disposition:stream_tags=language:format=format_name:format_tags=major_brand';
  const options = { timeout_ms: PROBE_TIMEOUT_MS, media, signal };
  const answer = await runFfprobe(tools, ['-show_entries', wanted], options);
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

/** An MP4 with PCM, as cameras write it, becomes QuickTime, because ffmpeg 5.1 cannot write PCM to MP4. */
function containerOf({ format, streams = [] }: ProbeAnswer): keyof typeof containers {
  const name = format?.format_name ?? '';
  if (!name.startsWith('mov,')) return name === 'mpegts' ? name : 'matroska';
  const brand = format?.tags?.major_brand;
  const hasPcm = streams.some(({ codec_name }) => codec_name?.startsWith('pcm_'));
  return brand === undefined || brand.startsWith('qt') || hasPcm ? 'mov' : 'mp4';
}

/** Returns arguments that copy all packets. The default track comes first, because browsers ignore the mark and play the first track. */
function copying({ media, tracks, spoken }: Muxing, { sounds, subtitles }: Kept) {
  const preferred = tracks.findIndex(({ isDefault }) => isDefault);
  const added = tracks.map(({ language, title }, at) => ({
    map: `${at + 1}:a:0`,
    tags: [`language=${language}`, `title=${title}`, `handler_name=${title}`],
    dispositions: at === preferred ? ['default', 'dub'] : ['dub'],
  }));
  const own = sounds.map(({ dispositions, hasLanguage }, at) => ({
    map: `0:a:${at}`,
    tags: spoken?.number === at + 1 && !hasLanguage ? [`language=${spoken.language}`] : [],
    dispositions: preferred < 0 ? dispositions : dispositions.filter((one) => one !== 'default'),
  }));
  const first = preferred < 0 ? [] : added.splice(preferred, 1);
  const all = [...first, ...own, ...added];
  return [
    ...openSafely(media),
    ...tracks.flatMap(({ path }) => openLocalFile(path, 'mov,mp4,m4a,3gp,3g2,mj2')),
    ...['-map', '0:v?', ...all.flatMap(({ map }) => ['-map', map])],
    ...subtitles.flatMap((number) => ['-map', `0:s:${number}`]),
    ...['-c', 'copy', '-map_metadata', '0'],
    ...all.flatMap(({ tags, dispositions }, at) => [
      ...tags.flatMap((tag) => [`-metadata:s:a:${at}`, tag]),
      ...[`-disposition:a:${at}`, dispositions.length === 0 ? '0' : dispositions.join('+')],
    ]),
  ];
}
