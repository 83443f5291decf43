/** Puts audio tracks beside the picture of media, whose packets stay as they are. */
import { ffmpegOutput, openSafely, runFfprobe } from './ffmpeg.ts';
import { openOwn, writeOwn } from './local-file.ts';
import type { MediaTools } from './port.ts';
import type { OpenMedia } from './range-reader.ts';

export interface AddedTrack {
  /** An MP4 with one track of sound. */
  readonly path: string;
  /** ISO 639-2, as files write it: "spa". */
  readonly language: string;
  readonly title: string;
  /** Whether players play it where nobody chooses; of several, the first. */
  readonly isDefault: boolean;
}

export interface Muxing {
  readonly media: OpenMedia;
  readonly tracks: readonly AddedTrack[];
  /** Without the sound that the media have. */
  readonly replacesSound?: boolean;
}

export interface Muxed {
  readonly container: 'mp4' | 'mov' | 'matroska' | 'mpegts';
  readonly media_type: string;
  /** Without a dot. */
  readonly extension: string;
}

interface MuxingOptions {
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
}

/** By ffmpeg's names: the containers that are kept. All others become Matroska, which holds what they hold. */
const containers = {
  mp4: { container: 'mp4', media_type: 'video/mp4', extension: 'mp4' },
  mov: { container: 'mov', media_type: 'video/quicktime', extension: 'mov' },
  mpegts: { container: 'mpegts', media_type: 'video/mp2t', extension: 'ts' },
  matroska: { container: 'matroska', media_type: 'video/x-matroska', extension: 'mkv' },
} as const satisfies Record<string, Muxed>;

/** Copying is as fast as the media are read: this is 100 GB at 100 MB/s. */
const TIMEOUT_MS = 1_000_000;
const PROBE_TIMEOUT_MS = 120_000;
/** What headers and indexes take beside the media, and the packets of the tracks in another wrapping. */
const OVERHEAD_BYTES = 256 << 20;

/** What the media become when tracks are added, which their container decides. */
export async function muxedAs({ media }: Pick<Muxing, 'media'>, options: MuxingOptions): Promise<Muxed> {
  return (await facts(media, options)).muxed;
}

/**
 * Writes the media with the tracks behind their own sound, or instead of it. Pictures and sound of the media are copied packet by
 * packet. An MP4 has its index in front.
 */
export async function muxedWithTracks(
  muxing: Muxing & { readonly output: string },
  options: MuxingOptions,
): Promise<Muxed> {
  const { media, output } = muxing;
  const { muxed, sounds } = await facts(media, options);
  const isOfBoxes = muxed.container === 'mp4' || muxed.container === 'mov';
  const args = [
    ...copying(muxing, sounds),
    ...(isOfBoxes ? ['-movflags', '+faststart'] : []),
    ...writeOwn(output, muxed.container),
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  const file_bytes = Math.round(1.2 * media.size) + OVERHEAD_BYTES * (1 + muxing.tracks.length);
  for await (const _ of ffmpegOutput(options.tools, args, { ...running, file_bytes })) {
    // Nothing is printed.
  }
  return muxed;
}

/**
 * The same as it is made, for media that no disk holds: an MP4 is in fragments then (ISO/IEC 14496-12 §8.8), since its index would
 * have to wait for the end.
 */
export async function muxedStream(
  muxing: Muxing,
  options: MuxingOptions,
): Promise<Muxed & { readonly bytes: AsyncGenerator<Buffer> }> {
  const { media } = muxing;
  const { muxed, sounds } = await facts(media, options);
  const isOfBoxes = muxed.container === 'mp4' || muxed.container === 'mov';
  const args = [
    ...copying(muxing, sounds),
    ...(isOfBoxes ? ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'] : []),
    ...['-f', muxed.container, 'pipe:1'],
  ];
  const running = { timeout_ms: TIMEOUT_MS, media, signal: options.signal };
  return { ...muxed, bytes: ffmpegOutput(options.tools, args, running) };
}

interface Sound {
  /** What the file says of it: default, original, comment… */
  readonly dispositions: readonly string[];
}

async function facts(
  media: OpenMedia,
  { tools, signal }: MuxingOptions,
): Promise<{ muxed: Muxed; sounds: readonly Sound[] }> {
  const entries = [
    ...[
      '-select_streams',
      'a',
      '-show_entries',
      'stream_disposition:format=format_name:format_tags=major_brand',
    ],
  ];
  const answer = (await runFfprobe(tools, entries, { timeout_ms: PROBE_TIMEOUT_MS, media, signal })) as {
    streams?: { disposition?: Record<string, number> }[];
    format?: { format_name: string; tags?: { major_brand?: string } };
  };
  const [name = '', brand] = [answer.format?.format_name, answer.format?.tags?.major_brand];
  const isQuickTime = brand === undefined || brand.startsWith('qt');
  const family = name.startsWith('mov,') ? (isQuickTime ? 'mov' : 'mp4') : name;
  const sounds = (answer.streams ?? []).map(({ disposition = {} }) => ({
    dispositions: Object.keys(disposition).filter((one) => disposition[one] === 1),
  }));
  return { muxed: containers[family as keyof typeof containers] ?? containers.matroska, sounds };
}

/** Reads the media and the tracks, and copies all packets. */
function copying({ media, tracks, replacesSound = false }: Muxing, sounds: readonly Sound[]): string[] {
  const kept = replacesSound ? [] : sounds;
  const preferred = tracks.findIndex(({ isDefault }) => isDefault);
  return [
    ...openSafely(media),
    ...tracks.flatMap(({ path }) => openOwn(path, 'mov,mp4,m4a,3gp,3g2,mj2')),
    ...['-map', '0:v?', ...(replacesSound ? [] : ['-map', '0:a?']), '-map', '0:s?'],
    ...tracks.flatMap((_, at) => ['-map', `${at + 1}:a:0`]),
    ...['-c', 'copy', '-map_metadata', '0'],
    ...kept.flatMap(({ dispositions }, at) =>
      preferred < 0
        ? []
        : disposition(
            at,
            dispositions.filter((one) => one !== 'default'),
          ),
    ),
    ...tracks.flatMap(({ language, title }, at) => {
      const stream = `s:a:${kept.length + at}`;
      const tags = [`language=${language}`, `title=${title}`, `handler_name=${title}`];
      return [
        ...tags.flatMap((tag) => [`-metadata:${stream}`, tag]),
        ...disposition(kept.length + at, at === preferred ? ['default', 'dub'] : ['dub']),
      ];
    }),
  ];
}

const disposition = (at: number, names: readonly string[]) => [
  ...[`-disposition:a:${at}`, names.length === 0 ? '0' : names.join('+')],
];
