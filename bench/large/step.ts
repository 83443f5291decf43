/** Runs the ingest steps that read a source, in a separate process: the probe, then the extraction of speech. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { extractSpeech, type Resume } from '../../lambdas/ingest/actions/extract-speech.ts';
import { probeMedia } from '../../media/ffmpeg/probe-media.ts';
import { withOpenMedia } from '../../media/ffmpeg/serve-ranges.ts';
import { MediaObjects } from '../../platform/objects/media-objects.ts';
import { MEDIA_LIMITS, type RangeSource } from '../../shared/media.ts';
import { asTenantId } from '../../shared/tenant.ts';
import { memoryOf } from '../processes.ts';

export interface Told {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly budget_ms: number;
}

export interface Found {
  readonly probed_bytes: number;
  readonly duration_ms: number;
  readonly heard_ms: number;
  readonly extracted_bytes: number;
  readonly seconds: number;
  readonly cpu_seconds: number;
  readonly invocations: number;
  /** Peak memory of this process, MiB. */
  readonly node_mib: number;
  /** Peak memory of ffmpeg, MiB. */
  readonly ffmpeg_mib: number;
  /** Peak size of the temporary folder, bytes. */
  readonly disk_bytes: number;
}

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const told = JSON.parse(process.argv[2]!) as Told;
const client = new S3Client({
  endpoint: told.endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
const objects = new MediaObjects(client, told.bucket, asTenantId('demo'));
const source = (await objects.source(told.key))!;

let asked = 0;
const counted: RangeSource = {
  size: source.size,
  read: (first, last, signal) => {
    asked += last - first + 1;
    return source.read(first, last, signal);
  },
};
const watched = watch();
const media = await withOpenMedia(counted, (open) => probeMedia(tools, open, MEDIA_LIMITS));
const probed_bytes = asked;
const began = performance.now();
let invocations = 0;
let heard_ms = 0;
const key = 't/demo/assets/bench/derived/audio/bench/speech.wav';
for (let resume: Resume | null = null; invocations === 0 || resume !== null; invocations += 1) {
  const extraction = {
    tools,
    source: counted,
    track: 1,
    claimed_ms: media.duration_ms,
    budget_ms: told.budget_ms,
    timeout_ms: 840_000,
    signal: new AbortController().signal,
    hear: () => {},
    reached: async (position_ms: number) => {
      heard_ms = position_ms;
    },
  };
  resume = await extractSpeech({ objects, key, resume }, extraction);
}
const { user, system } = process.cpuUsage();
const found: Found = {
  probed_bytes,
  duration_ms: media.duration_ms,
  heard_ms,
  extracted_bytes: asked - probed_bytes,
  seconds: (performance.now() - began) / 1000,
  cpu_seconds: (user + system) / 1e6,
  invocations,
  ...watched(),
};
console.log(JSON.stringify(found));
client.destroy();

/** Samples memory and temporary folder until the caller reads the result. */
function watch() {
  let ffmpeg = 0;
  let disk_bytes = 0;
  const look = () => {
    for (const pid of childrenOf(process.pid)) ffmpeg = Math.max(ffmpeg, mebibytes(pid));
    disk_bytes = Math.max(disk_bytes, bytesIn(process.env.TMPDIR!));
  };
  const looking = setInterval(look, 200);
  return () => {
    clearInterval(looking);
    return { node_mib: mebibytes('self'), ffmpeg_mib: ffmpeg, disk_bytes };
  };
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
}

/** Returns the peak memory in MiB, or 0 if the process has ended. */
const mebibytes = (pid: string) => Math.round((memoryOf(pid, 'VmHWM') ?? 0) / 2 ** 20);

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
