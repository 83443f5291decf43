/** Measures the memory, disk space and reads for media of 1 GB and 20 GB, under the limits of a step on Lambda. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startS3 } from '../local/s3/server.ts';
import { type Shape, writeSparseMp4 } from './large/mp4.ts';
import type { Found, Told } from './large/step.ts';
import type { Report, Row } from './report.ts';

const BUCKET = 'bench';
const KEY = 't/demo/assets/bench/source/media';
/** Most data memory of one process, bytes: the 2 GB of a step. */
const DATA_BYTES = 2 * 2 ** 30;
const APART = { pictures: 52, sounds: 96 };
const MIXED = { pictures: 1, sounds: 2 };
const GB1 = { bytes: 1e9, seconds: 600 };
const GB20 = { bytes: 20e9, seconds: 10_800 };
/** The time limit that the step sets itself, ms: 10 minutes. Lambda's limit is 15. */
const BUDGET_MS = 600_000;

const cases: readonly { name: string; shape: Shape; budget_ms: number }[] = [
  { name: '1 GB, 10 minutes, mixed', shape: { ...GB1, ...MIXED }, budget_ms: BUDGET_MS },
  { name: '20 GB, 3 hours, apart', shape: { ...GB20, ...APART }, budget_ms: BUDGET_MS },
  { name: '20 GB, 3 hours, mixed', shape: { ...GB20, ...MIXED }, budget_ms: BUDGET_MS },
  { name: '20 GB, 3 hours, mixed, handed on every 30 s', shape: { ...GB20, ...MIXED }, budget_ms: 30_000 },
];

export async function run(): Promise<Report> {
  const rows: Row[] = [];
  for (const { name, shape, budget_ms } of cases) {
    process.stderr.write(`${name}\n`);
    rows.push(rowOf(name, await measured(shape, budget_ms)));
  }
  return {
    title: 'Large media',
    method:
      'MP4 files with H.264 and AAC whose index is at the end and whose picture is a hole (sparse files), in the local S3 ' +
      'server; a process of its own does what ProbeMedia and PrepareAudio do, each process under `prlimit --data` of 2 GB. ' +
      'Where picture and sound take turns every two seconds ("apart"), the picture is mostly passed over; where they do ' +
      'every 43 ms ("mixed"), as ffmpeg writes them, everything is read once. Seconds are those of the extraction; memory ' +
      'is the most that each process held at once.',
    columns: [
      'GB',
      'probing read MB',
      'extraction read MB',
      's',
      'CPU s of the step',
      'invocations',
      'step MiB',
      'ffmpeg MiB',
      'in /tmp',
    ],
    rows,
    void: null,
  };
}

function rowOf(name: string, { size, ...found }: Found & { size: number }): Row {
  const { probed_bytes, extracted_bytes, seconds, cpu_seconds, invocations } = found;
  return {
    name,
    values: [
      (size / 1e9).toFixed(1),
      (probed_bytes / 1e6).toFixed(1),
      (extracted_bytes / 1e6).toFixed(0),
      seconds.toFixed(0),
      cpu_seconds.toFixed(0),
      invocations,
      found.node_mib,
      found.ffmpeg_mib,
      found.disk_bytes,
    ],
  };
}

async function measured(shape: Shape, budget_ms: number): Promise<Found & { size: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-bench-large-'));
  try {
    const size = place(join(folder, 's3'), shape);
    const s3 = await startS3({
      dir: join(folder, 's3'),
      port: 0,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
      buckets: [{ name: BUCKET }],
    });
    const scratch = join(folder, 'tmp');
    mkdirSync(scratch);
    const told: Told = { endpoint: s3.url, bucket: BUCKET, key: KEY, budget_ms };
    const step = [process.execPath, join(import.meta.dirname, 'large/step.ts'), JSON.stringify(told)];
    const env = { ...process.env, TMPDIR: scratch };
    const limited = ['prlimit', `--data=${DATA_BYTES}`, ...step];
    const { stdout } = await promisify(execFile)(limited[0]!, limited.slice(1), { env });
    await s3.close();
    const found = JSON.parse(stdout) as Found;
    const isWhole = Math.abs(found.heard_ms - shape.seconds * 1000) < 1000;
    if (!isWhole) throw new Error(`Only ${found.heard_ms} ms were heard`);
    return { ...found, size };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Stores the file in the folder of the S3 server, as if a client had uploaded it. */
function place(dir: string, shape: Shape): number {
  const objects = join(dir, 'buckets', BUCKET, 'objects');
  const data = join(dir, 'data');
  for (const each of [objects, data]) mkdirSync(each, { recursive: true });
  writeFileSync(join(dir, 'buckets', BUCKET, 'bucket.json'), JSON.stringify({ created: Date.now() }));
  const file = 'f'.repeat(32);
  writeSparseMp4(join(data, file), shape);
  const { size } = statSync(join(data, file));
  const record = {
    key: KEY,
    size,
    etag: '0'.repeat(32),
    modified: Date.now(),
    headers: {},
    tags: [],
    checksums: {},
    checksumType: 'FULL_OBJECT',
    segments: [{ file, offset: 0, size }],
  };
  const name = createHash('sha256').update(KEY).digest('hex');
  writeFileSync(join(objects, `${name}.json`), JSON.stringify(record));
  return size;
}
