/** Runs ffmpeg and ffprobe on uploaded files, which may be hostile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defined } from '../../shared/checked-access.ts';
import { collectBytes } from '../../shared/collect-bytes.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  mediaLimitExceeded,
  mediaUnreadable,
  timedOut,
} from '../../shared/job-errors.ts';
import { MEDIA_LIMITS } from '../../shared/media.ts';
import { codecs, containers } from './allowed-formats.ts';
import { confineProgram, wasNotExecuted, watchMemory } from './confine-program.ts';
import type { ProbeAnswer } from './probe-answer.ts';
import type { MediaTools, OpenMedia } from './serve-ranges.ts';

export type RunOptions = {
  /** Time limit, ms of wall time. At the limit, the program is killed and `timed_out` is thrown. */
  timeout_ms: number;
  /** The media that the arguments read. If their source fails, its error is thrown instead of the program's error. */
  media?: OpenMedia | undefined;
  /** The standard input of the program. If reading this input fails, the program is killed and the error is thrown. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** The maximum size of a written file, bytes. If absent, the program may not write files. */
  file_bytes?: number | undefined;
  signal?: AbortSignal | undefined;
  memory_bytes?: number | undefined;
  /** Additional environment variables. They contain only paths that this service made. */
  environment?: Readonly<Record<string, string>> | undefined;
};

/** The maximum memory, bytes: twice as much as a decoder of 8K needs. The step itself needs about 300 MB of its 2 GB. */
const MEMORY_BYTES = 1 << 30;
/** The limit of address space, as a multiple of the memory. Libraries and thread stacks reserve addresses that they do not use. */
const ADDRESSES = 4;
/** The maximum size of one allocation of a demuxer or decoder, bytes. */
const MAX_ALLOCATION_BYTES = 512 << 20;
/** The longest forward seek for which ffmpeg reads the bytes between. S3 sends this many bytes in the time of a new request. */
const SHORT_SEEK_BYTES = 1 << 20;
/** The variables contain no credentials, because the program reads hostile files. With one arena, glibc does not reserve 64 MiB for each thread. */
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/bin:/opt/homebrew/bin:/snap/bin',
  MALLOC_ARENA_MAX: '1',
};
/** The number of log lines that are kept: the last lines, because they contain the reason of a failure. */
const KEPT_LOG_LINES = 40;
/** The maximum output of ffprobe, bytes. Its output for 64 streams has about 200 kB. */
const MAX_ANSWER_BYTES = 8 << 20;

/** Arguments that open uploaded media over HTTP from `serve-ranges.ts`, but nothing that the media refer to. */
export const openSafely = (
  { address }: Pick<OpenMedia, 'address'>,
  formats: string = containers,
): string[] => [
  ...['-protocol_whitelist', 'http,tcp', '-format_whitelist', formats, '-codec_whitelist', codecs],
  ...['-max_redirects', '0', '-short_seek_size', String(SHORT_SEEK_BYTES)],
  // ffmpeg reconnects once, without a wait. More attempts would be useless, because a read error of the source is permanent.
  ...['-reconnect', '1', '-reconnect_delay_max', '0', '-i', address],
];

/** Yields ffmpeg's output. Throws a JobError, or the signal's reason. If the caller stops iterating, ffmpeg is killed. */
export function ffmpegOutput(tools: MediaTools, args: readonly string[], options: RunOptions) {
  const safeguards = [
    ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error'],
    ...['-max_alloc', String(MAX_ALLOCATION_BYTES)],
  ];
  return output(tools.ffmpeg, [...safeguards, ...args], options);
}

export async function ffmpegBytes(tools: MediaTools, args: readonly string[], options: RunOptions) {
  const pieces: Buffer[] = [];
  for await (const piece of ffmpegOutput(tools, args, options)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function* ffmpegLines(tools: MediaTools, args: readonly string[], options: RunOptions) {
  let rest = '';
  for await (const piece of ffmpegOutput(tools, args, options)) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = defined(lines.pop());
    yield* lines;
  }
}

export interface Progress {
  readonly frames: number;
  readonly position_ms: number;
}

/** Runs ffmpeg. Its arguments must contain `-progress pipe:1`. Returns the last progress that it printed. */
export async function runWithProgress(
  tools: MediaTools,
  args: readonly string[],
  options: RunOptions,
  report: (progress: Progress) => void = () => {},
): Promise<Progress> {
  let [frames, position_ms] = [0, 0];
  for await (const line of ffmpegLines(tools, args, options)) {
    // `out_time_ms` is in microseconds in every version, although its name says otherwise. Before the first packet, it is "N/A".
    const [, key, value] = /^(frame|out_time_ms)=\s*(\d+)/.exec(line) ?? [];
    if (key === 'frame') frames = Number(value);
    else if (key !== undefined) position_ms = Math.round(Number(value) / 1000);
    else if (line.startsWith('progress=')) report({ frames, position_ms });
  }
  return { frames, position_ms };
}

/** Returns ffprobe's description of the media, parsed from JSON. Throws the errors of `ffmpegOutput`. */
export async function runFfprobe(
  tools: MediaTools,
  entries: readonly string[],
  options: RunOptions & { media: OpenMedia; formats?: string | undefined },
): Promise<ProbeAnswer> {
  const args = [
    ...['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MAX_ALLOCATION_BYTES)],
    ...['-of', 'json', ...entries, ...openSafely(options.media, options.formats)],
  ];
  const tooLong = () => mediaUnreadable('The description of the file is too long.');
  const answer = await collectBytes(output(tools.ffprobe, args, options), MAX_ANSWER_BYTES, tooLong);
  return JSON.parse(answer.toString('utf8'));
}

async function* output(
  command: string,
  args: readonly string[],
  { timeout_ms, media, input, file_bytes = 0, signal, memory_bytes = MEMORY_BYTES, ...options }: RunOptions,
): AsyncGenerator<Buffer> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeout_ms);
  const limits = {
    addresses_bytes: ADDRESSES * memory_bytes,
    cpu_s: Math.ceil((4 * timeout_ms) / 1000),
    file_bytes,
  };
  const [program, ...rest] = confineProgram(command, args, limits);
  const child = spawn(program, rest, {
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    env: { ...environment, ...options.environment },
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    killSignal: 'SIGKILL',
  });
  const exiting = exitOf(child);
  const feeding = fed(child, input);
  const logging = lastLines(defined(child.stderr));
  const memory = watchMemory(child, memory_bytes);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const exit = await exiting;
    const log = await logging;
    if (signal?.aborted) throw signal.reason;
    const unfed = await feeding;
    if (unfed !== null) throw unfed.reason;
    media?.requireWhole();
    if (memory.isExceeded) throw tooLarge();
    if (deadline.aborted || exit.killedBy === 'SIGXCPU') {
      throw timedOut(`Reading the media took longer than ${timeout_ms / 1000} s. Upload a shorter file.`);
    }
    if (exit.failure || wasNotExecuted(exit.code, log)) throw whyNotStarted(command, exit.failure);
    if (exit.code !== 0) throw whyFailed(log, exit);
  } finally {
    memory.stop();
    child.kill('SIGKILL');
    await exiting;
  }
}

/** Writes the input. If reading the input fails, kills the program, because it would treat the failure as the end of the input. */
async function fed(
  child: ChildProcess,
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<{ reason: unknown } | null> {
  if (input === undefined || child.stdin === null) return null;
  let failure: { reason: unknown } | null = null;
  const broken = (reason: unknown): never => {
    failure = { reason };
    child.kill('SIGKILL');
    throw reason;
  };
  // A `for await` loop would also catch the errors of the pipe, because these are thrown into this generator.
  async function* watched(source: AsyncIterable<Uint8Array>) {
    const iterator = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await iterator.next().catch(broken);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  await pipeline(Readable.from(watched(input), { objectMode: false }), child.stdin).catch(() => {});
  return failure;
}

/** Matches a log line that is not an error: our server ended an answer, and ffmpeg requests the next range. */
const isOfTheReader = /Stream ends prematurely/;

async function lastLines(stream: NodeJS.ReadableStream): Promise<string[]> {
  const log: string[] = [];
  for await (const line of createInterface({ input: stream })) {
    if (!isOfTheReader.test(line)) log.push(line.slice(0, 1000));
    if (log.length > KEPT_LOG_LINES) log.shift();
  }
  return log;
}

type Exit = { code: number | null; killedBy: NodeJS.Signals | null; failure?: NodeJS.ErrnoException };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    let failure: NodeJS.ErrnoException | undefined;
    child.once('error', (error) => {
      failure = error;
      // If the program could not start, there is no event `close`.
      if (child.pid === undefined) resolve({ code: null, killedBy: null, failure });
    });
    child.once('close', (code, killedBy) => resolve({ code, killedBy, ...(failure && { failure }) }));
  });
}

function whyNotStarted(command: string, failure?: NodeJS.ErrnoException): JobError {
  const isMissing = failure === undefined || failure.code === 'ENOENT' || failure.code === 'EACCES';
  if (!isMissing) return internalError('The media tool could not be run.', failure);
  const program = command.split('/').at(-1);
  const detail = `The program "${program}" is not installed or not executable. Install it: apt-get install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS).`;
  return engineUnavailable(detail, failure);
}

const tooLarge = (cause?: unknown) =>
  mediaLimitExceeded(
    'Decoding the file takes more memory than is allowed. Re-encode it with ordinary settings.',
    cause,
  );

/** The signals of a crashed program. A damaged file can crash ffmpeg. */
const crashes: readonly (string | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL'];

function whyFailed(log: readonly string[], { code, killedBy }: Exit): JobError {
  const said = log.map(withoutInternals).filter((line) => line !== '');
  const cause = new Error(`exit ${code ?? killedBy}: ${said.join(' | ').slice(-2000)}`);
  // ffmpeg reports too many streams as a lack of memory. So this check comes before the check for memory.
  const [, streams] = /exceeds max_streams parameter \((\d+)\)/.exec(said.join('\n')) ?? [];
  if (streams !== undefined) {
    const detail = `The file has more than ${streams} streams; at most ${MEDIA_LIMITS.max_streams} are processed.`;
    return mediaLimitExceeded(detail, cause);
  }
  const logged = (pattern: RegExp) => said.some((line) => pattern.test(line));
  if (logged(/Cannot allocate memory/)) return tooLarge(cause);
  if (crashes.includes(killedBy)) {
    return mediaUnreadable('The file is damaged and crashes the decoder. Export it again.', cause);
  }
  if (killedBy === 'SIGXFSZ')
    return mediaLimitExceeded(
      'The output made from the file is larger than is allowed. Upload a shorter or smaller file.',
      cause,
    );
  if (logged(/No space left on device/)) return internalError('The disk is full.', cause);
  if (logged(/Unknown encoder|No such filter/) || killedBy !== null)
    return internalError('The media tool stopped before it was done.', cause);
  const [, codec] = /Codec \((\w+)\) not on whitelist/.exec(said.join('\n')) ?? [];
  if (codec !== undefined) {
    const detail = `The file has a track in the codec ${codec}, which is not supported. Export it without that track, or as H.264 and AAC.`;
    return mediaUnreadable(detail, cause);
  }
  if (logged(/Format not on whitelist/)) {
    return mediaUnreadable(
      'The format of the file is not supported. Upload MP4, MOV, MKV, WebM, MPEG-TS, MXF, AVI, WAV, MP3 or another common container.',
      cause,
    );
  }
  if (logged(/moov atom not found/)) {
    return mediaUnreadable(
      'The file has no index (moov). It is an incomplete MP4 or MOV, as after an interrupted copy or recording, or it is not media. Export or copy it again.',
      cause,
    );
  }
  const reason = said.at(-1);
  return mediaUnreadable(
    `The file cannot be read as media${reason ? ` (${reason})` : ''}. Check that it plays, or export it again.`,
    cause,
  );
}

/** Removes memory addresses ("[mov @ 0x55…]") and the address of our server from a log line. */
function withoutInternals(line: string): string {
  return line
    .replace(/\[([\w,#:/ ]+) @ 0x[0-9a-f]+\]\s*/g, '')
    .replace(/http:\/\/127\.0\.0\.1:\S+?:\s/g, '')
    .trim();
}
