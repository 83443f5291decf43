/** Runs ffmpeg and ffprobe on files that strangers uploaded. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  engineUnavailable,
  internalError,
  type JobError,
  mediaUnreadable,
  timedOut,
} from '../../platform/shared/job-errors.ts';
import { type MediaTools, mediaEngine } from './port.ts';

/** The system's on a machine, Debian's in the image of a deployment (lib/jobs/media-image). */
export const ffmpeg = mediaEngine({
  name: 'ffmpeg',
  runs: ['aws', 'local'],
  languages: 'any',
  settings: {
    FFMPEG_PATH: {
      description: 'Path or name of ffmpeg',
      default: 'ffmpeg',
      deployed: '/usr/bin/ffmpeg',
      program: true,
    },
    FFPROBE_PATH: {
      description: 'Path or name of ffprobe',
      default: 'ffprobe',
      deployed: '/usr/bin/ffprobe',
      program: true,
    },
  },
  permissions: {},
  make: ({ settings }): MediaTools => ({ ffmpeg: settings.FFMPEG_PATH, ffprobe: settings.FFPROBE_PATH }),
});

export type RunOptions = {
  /** Wall time; then the child is killed and `timed_out` thrown. */
  timeout_ms: number;
  signal?: AbortSignal | undefined;
  /** Called with the position reached in the media, milliseconds. */
  onProgress?: ((position_ms: number) => void) | undefined;
  /** Demuxers that may read the file; those of media containers when absent. */
  formats?: string | undefined;
  /** Called with every line of the log, for filters that report there. Switches the log level to info. */
  onLog?: ((line: string) => void) | undefined;
};

/**
 * Demuxers of real media containers. Everything that refers to other files or addresses (hls, dash, concat,
 * sdp, image sequences), renders text (tty, subtitles) or guesses at raw bytes is left out.
 */
const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,wav,w64,mp3,aac,flac,ogg,mxf,gxf,flv,asf,amr,aiff,caf,ac3,eac3,au,dv';

/** No single allocation of a demuxer or decoder above this. */
const MAX_ALLOCATION_BYTES = 1 << 30;
/**
 * All that a child knows of its surroundings: it reads strangers' bytes, so it gets no credentials. Static
 * builds crash when iconv loads the modules of another glibc (transport streams name their service), hence
 * the GCONV_PATH that leads nowhere.
 */
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/bin:/opt/homebrew/bin:/snap/bin',
  GCONV_PATH: '/nonexistent',
};
/** What is kept of the log: its end, where the reason stands. */
const KEPT_LOG_LINES = 40;
/** ffprobe's answer about 64 streams is some 200 kB. */
const MAX_ANSWER_BYTES = 8 << 20;

/** The options that open an uploaded file, and nothing it refers to. The `file:` keeps a name from being an option or address. */
export const openSafely = (file: string, formats: string = containers): string[] => [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', formats],
  ...['-i', `file:${file}`],
];

/** Resolves when ffmpeg succeeded. Throws a JobError otherwise, or the signal's reason. */
export async function runFfmpeg(
  tools: MediaTools,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  const cpuSeconds = Math.ceil((4 * options.timeout_ms) / 1000);
  const safeguards = [
    ...['-nostdin', '-hide_banner', '-nostats', '-y'],
    ...['-loglevel', options.onLog ? 'info' : 'error'],
    ...['-max_alloc', String(MAX_ALLOCATION_BYTES), '-timelimit', String(cpuSeconds)],
    ...['-progress', 'pipe:1'],
  ];
  const report = (line: string) => {
    // Microseconds in every version, whatever the name says; "N/A" until the first packet.
    const position = /^out_time_ms=(\d+)/.exec(line);
    if (position) options.onProgress?.(Math.round(Number(position[1]) / 1000));
  };
  await run(tools.ffmpeg, [...safeguards, ...args], options, report);
}

/** What ffprobe prints about `file` as JSON. Throws as `runFfmpeg` does. */
export async function runFfprobe(
  tools: MediaTools,
  file: string,
  entries: readonly string[],
  options: RunOptions,
): Promise<unknown> {
  const lines: string[] = [];
  let bytes = 0;
  await run(
    tools.ffprobe,
    [
      ...['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MAX_ALLOCATION_BYTES)],
      // Twice the default: transport streams may carry their first picture late.
      ...['-probesize', '10M', '-analyzeduration', '10M'],
      ...['-of', 'json', ...entries, ...openSafely(file, options.formats)],
    ],
    options,
    (line) => {
      bytes += line.length;
      if (bytes <= MAX_ANSWER_BYTES) lines.push(line);
    },
  );
  if (bytes > MAX_ANSWER_BYTES) throw mediaUnreadable('The file describes itself at absurd length.');
  return JSON.parse(lines.join('\n'));
}

async function run(
  command: string,
  args: readonly string[],
  options: RunOptions,
  onLine: (line: string) => void,
): Promise<void> {
  options.signal?.throwIfAborted();
  const log: string[] = [];
  const deadline = AbortSignal.timeout(options.timeout_ms);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
    signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
    killSignal: 'SIGKILL',
  });
  const reading = [
    eachLine(child.stdout, onLine),
    eachLine(child.stderr, (line) => {
      options.onLog?.(line);
      log.push(line);
      if (log.length > KEPT_LOG_LINES) log.shift();
    }),
  ];
  const { code, killedBy, failure } = await exitOf(child);
  await Promise.all(reading);
  if (options.signal?.aborted) throw options.signal.reason;
  if (deadline.aborted || killedBy === 'SIGXCPU') {
    throw timedOut(
      `Reading the media took longer than ${options.timeout_ms / 1000} s. Upload a shorter file.`,
    );
  }
  if (failure) throw whyNotStarted(command, failure);
  if (code !== 0) throw whyFailed(log, code, killedBy);
}

async function eachLine(stream: NodeJS.ReadableStream, use: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: stream })) use(line.slice(0, 1000));
}

type Exit = { code: number | null; killedBy: NodeJS.Signals | null; failure?: NodeJS.ErrnoException };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    let failure: NodeJS.ErrnoException | undefined;
    child.once('error', (error) => {
      failure = error;
      // A child that never started closes nothing.
      if (child.pid === undefined) resolve({ code: null, killedBy: null, failure });
    });
    child.once('close', (code, killedBy) => resolve({ code, killedBy, ...(failure && { failure }) }));
  });
}

function whyNotStarted(command: string, failure: NodeJS.ErrnoException): JobError {
  const isMissing = failure.code === 'ENOENT' || failure.code === 'EACCES';
  if (!isMissing) return internalError('The media tool could not be run.', failure);
  const program = command.split('/').at(-1);
  const detail = `The program "${program}" is not installed or not executable. Install it: apt-get install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS).`;
  return engineUnavailable(detail, failure);
}

function whyFailed(log: readonly string[], code: number | null, killedBy: string | null): JobError {
  const said = log.map(withoutInternals).filter((line) => line !== '');
  const cause = new Error(`exit ${code ?? killedBy}: ${said.join(' | ').slice(-2000)}`);
  const isOurs = said.some((line) =>
    /No space left on device|Cannot allocate memory|Unknown encoder|No such filter/.test(line),
  );
  if (isOurs || killedBy !== null) return internalError('The media tool stopped before it was done.', cause);
  const isOtherFormat = said.some((line) => /Format not on whitelist/.test(line));
  if (isOtherFormat) {
    return mediaUnreadable(
      'The file is of a kind that is not processed. Upload MP4, MOV, MKV, WebM, MPEG-TS, MXF, AVI, WAV, MP3 or another common container.',
      cause,
    );
  }
  const hasNoIndex = said.some((line) => /moov atom not found/.test(line));
  if (hasNoIndex) {
    return mediaUnreadable(
      'The file has no index (moov): it is an incomplete MP4 or MOV, as after an interrupted copy or recording, or no media at all. Export or copy it again.',
      cause,
    );
  }
  const reason = said.at(-1);
  return mediaUnreadable(
    `The file cannot be read as media${reason ? ` (${reason})` : ''}. Check that it plays, or export it again.`,
    cause,
  );
}

/** A line of the log without addresses ("[mov @ 0x55…]") and paths of this machine. */
function withoutInternals(line: string): string {
  return line
    .replace(/\[([\w,#:/ ]+) @ 0x[0-9a-f]+\]\s*/g, '')
    .replace(/(?:file:)?\/\S+?:\s/g, '')
    .trim();
}
