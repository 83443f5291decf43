/** Uploads of every container that lose a part on the way: no call may answer as if the file were complete. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeMedia, tools } from '../../../fixtures/media.ts';
import { runStep } from '../../../support/run-step.ts';
import { startTestApi } from '../../../support/test-api.ts';

process.env.FFMPEG_PATH = tools.ffmpeg;
process.env.FFPROBE_PATH = tools.ffprobe;
const api = await startTestApi();
const tenant = await api.tenant('acme');

/** S3 accepts no smaller part, except for the last. */
const PART = 5 << 20;

/** Enough for three parts: noise is large in every codec. */
const noise = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `anoisesrc=r=48000:d=${seconds}:c=white:a=0.5`, '-ac', '2'],
];
const film = [
  ...['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=6,noise=alls=60:allf=t', ...noise(6)],
  ...['-pix_fmt', 'yuv420p', '-shortest'],
];
const h264 = [...film, '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '12'];
/** The index comes first, so the start of the file looks complete. */
const indexFirst = ['-movflags', '+faststart'];

/** The container, how it is made, and what says that its end is missing: the job, or a finding of the asset that is ready. */
const containers: [name: string, args: string[], says: 'media_unreadable' | 'ends_early'][] = [
  ['mp4', [...h264, ...indexFirst], 'media_unreadable'],
  ['mov', [...h264, ...indexFirst], 'media_unreadable'],
  ['ts', h264, 'ends_early'],
  ['wav', noise(58), 'media_unreadable'],
  ['mkv', h264, 'media_unreadable'],
  [
    'webm',
    [...film, '-c:v', 'libvpx', '-b:v', '40M', '-deadline', 'realtime', '-cpu-used', '8'],
    'media_unreadable',
  ],
  ['mp3', [...noise(270), '-b:a', '320k', '-compression_level', '9'], 'ends_early'],
  ['ogg', [...noise(80), '-c:a', 'flac'], 'ends_early'],
  ['flac', noise(80), 'ends_early'],
];

/** An asset whose upload was started for a number of parts. */
async function begun(parts: number) {
  const { asset_id } = (await tenant.call('POST', '/v1/assets', { filename: 'a' })).json;
  const path = `/v1/assets/${asset_id}`;
  const ticket = (await tenant.call('POST', `${path}/start_upload`, { parts })).json;
  const send = async (part: number, body: Buffer) => {
    const sent = await fetch(ticket.parts[part - 1].url, { method: 'PUT', body: new Uint8Array(body) });
    return sent.headers.get('etag')!;
  };
  const finish = async (etags: string[], size_bytes?: number) => {
    const body = { etags, ...(size_bytes !== undefined && { size_bytes }) };
    const { status, json } = await tenant.call('POST', `${path}/finish_upload`, body);
    return { status, says: json.detail as string, job_id: json.job_id as string };
  };
  /** Runs the first two steps of the job. */
  const probed = async (job_id: string) => {
    const input = { tenant: tenant.id, asset_id, job_id };
    await runStep('complete-upload', input);
    await runStep('probe-media', input);
    return (await tenant.call('GET', path)).json;
  };
  return { path, send, finish, probed };
}

const refused = (says: string) => ({ status: 422, says: expect.stringContaining(says) });

describe.each(containers)('a %s in three parts', (name, args, says) => {
  let bytes: Buffer;
  const part = (number: number) =>
    bytes.subarray((number - 1) * PART, number < 3 ? number * PART : undefined);
  beforeAll(async () => {
    bytes = await readFile(await makeMedia(`matrix.${name}`, args));
    expect(bytes.length).toBeGreaterThan(2 * PART + 1000);
  });

  it('is ready only as a whole', async () => {
    const { path, send, finish, probed } = await begun(3);
    const one = await send(1, part(1));
    expect(await finish([one]), 'one part').toMatchObject(refused('Parts 2-3 have not arrived'));
    const two = await send(2, part(2));
    expect(await finish([one, two]), 'missing last part').toMatchObject(refused('Part 3 has not arrived'));
    // A repeated start_upload, here with the default of one part, does not lower the number.
    await tenant.call('POST', `${path}/start_upload`);
    expect(await finish([one, two]), 'resumed').toMatchObject(refused('Part 3 has not arrived'));
    const short = await send(3, part(3).subarray(0, -500));
    expect(await finish([one, two, short], bytes.length), 'a part of another size').toMatchObject(
      refused(`the file has ${bytes.length}`),
    );
    const three = await send(3, part(3));
    expect(await finish([two, one, three]), 'wrong order').toMatchObject(refused('Part 1 arrived with'));
    await send(2, Buffer.from(part(2)).fill(1, 100, 200));
    expect(await finish([one, two, three]), 'other bytes').toMatchObject(refused('Part 2 arrived with'));
    await send(2, part(2));
    const { status, job_id } = await finish([one, two, three], bytes.length);
    expect(status).toBe(202);
    expect((await finish([one, two, three])).job_id).toBe(job_id);
    const ready = await probed(job_id);
    expect(ready).toMatchObject({ size_bytes: bytes.length, source_findings: [], error: null });
  });

  it('names a missing middle part, and says that its end is missing if the caller itself cuts it', async () => {
    const { send, finish, probed } = await begun(3);
    const [one, three] = [await send(1, part(1)), await send(3, part(3))];
    expect(await finish([one, three])).toMatchObject(refused('Part 2 has not arrived'));
    const two = await send(2, part(2));
    // The stated size says that the file has two parts.
    const { status, job_id } = await finish([one, two], 2 * PART);
    expect(status).toBe(202);
    const outcome = await probed(job_id).then(
      ({ source_findings }) => source_findings.map(({ code }: { code: string }) => code).join(),
      ({ name }: Error) => name,
    );
    expect(outcome).toBe(says);
  });
});
