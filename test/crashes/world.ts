/** The environment of the crash runs: real tables, bucket, storages and executor in this process, all empty. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { usageMetrics } from '../../contract/kit/usage-metrics.ts';
import { startSts } from '../../local/sts/server.ts';
import { asTenantId } from '../../shared/ids.ts';
import type { Limits } from '../../shared/usage.ts';
import { startApi, type Tenant } from '../support/api.ts';
import { asFunction } from '../support/function-permissions.ts';
import { startReceiver } from '../support/receiver.ts';
import { startExecutor } from './executor.ts';
import { meetWrites } from './lives.ts';
import { emptied, type Kept, snapshotOf } from './snapshot.ts';

const account = '123456789012';
const region = 'us-east-1';
export const role = `arn:aws:iam::${account}:role/kinora-export`;
export const archive = 'archive';

/** More than any run needs. */
const limits: Limits = {
  requests_per_minute: 10_000,
  concurrent_jobs: 10,
  quotas: Object.fromEntries(Object.keys(usageMetrics).map((metric) => [metric, 1_000_000_000])),
};

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Import handlers only after this call. */
export async function startWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-crashes-'));
  const temporary = join(folder, 'tmp');
  const roles = join(folder, 'roles', account);
  await mkdir(temporary);
  await mkdir(roles, { recursive: true });
  // Every job goes through the admission queue.
  process.env.JOBS_AT_ONCE = '3';
  process.env.LOCAL_SECRET_KEY = 'a secret of this test, long enough for a key';
  const sts = await startSts({
    ...{ port: 0, region, accountId: '000000000000' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    roles: join(folder, 'roles'),
  });
  process.env.AWS_ENDPOINT_URL_STS = sts.url;
  const executor = await startExecutor(join(folder, 'stepfunctions'));
  const api = await startApi();
  // Functions write temporary files here. They are removed after each run.
  process.env.TMPDIR = temporary;
  const { clock } = await import('../../platform/runtime/clock.ts');
  clock.now = () => new Date(executor.clock.now());
  const undo = meetWrites();
  const s3 = new S3Client({ endpoint: api.s3.url, region, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: archive }));
  const receiver = await startReceiver();
  const kept: Kept = { dynamodb: api.environment.client, s3, buckets: ['media', archive] };
  const media = await made(folder);
  let tenants = 0;

  return {
    executor,
    media,
    receiver,
    /** The permissions of an exporting role: those that the storage shows. */
    trust: (access: object) => writeFile(join(roles, 'kinora-export.json'), JSON.stringify(access)),
    /**
     * Its webhook receives every event, so each step that publishes also starts deliveries. It has a quota of everything,
     * so each step that makes something also reserves it.
     */
    async newTenant(): Promise<Tenant> {
      const tenant = await api.tenant(`crash-${++tenants}`);
      await api.environment.keys.setLimits(asTenantId(tenant.id), limits);
      await tenant.call('POST', '/v1/webhooks', { url: receiver.url });
      return tenant;
    },
    snapshot: (tenant: Tenant) => snapshotOf(tenant.id, kept),
    async sweep(): Promise<void> {
      const { handler } = await import('../../lambdas/jobs/steps/sweep.ts');
      await asFunction('Sweep', async () => handler({}, {} as never));
    },
    async hear(execution: string): Promise<void> {
      const { handler } = await import('../../lambdas/jobs/steps/settle-execution.ts');
      const event = { detail: { name: execution.split(':').at(-1) } };
      await asFunction('SettleExecution', async () => handler(event as never, {} as never));
    },
    /** Removes everything that a run left. */
    async empty() {
      await emptied(kept, (bucket) => removeAll(bucket, s3, kept));
      for (const name of await readdir(temporary))
        await rm(join(temporary, name), { recursive: true, force: true });
      receiver.received.length = 0;
    },
    async close() {
      undo();
      await executor.close();
      await api.close();
      await sts.close();
      await receiver.close();
      s3.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function removeAll(Bucket: string, s3: S3Client, kept: Kept): Promise<void> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  for (const { Key, UploadId } of Uploads)
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  const { objects } = await snapshotOf('nobody', { ...kept, buckets: [Bucket] });
  const Objects = objects.map((key) => ({ Key: key.slice(Bucket.length + 1) }));
  if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}

/** The smallest input for each machine. */
async function made(folder: string) {
  const speech = join(folder, 'speech.wav');
  const run = promisify(execFile);
  await run('espeak-ng', ['-v', 'en-us', '-w', speech, 'The house is red.']);
  const make = async (name: string, args: readonly string[]) => {
    const out = join(folder, name);
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, out]);
    return readFile(out);
  };
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=96x54:rate=5:duration=2'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  return {
    talk: await make('talk.mp4', [...picture, '-i', speech, ...h264, '-c:a', 'aac', '-t', '2']),
    logo: await make('logo.png', ['-f', 'lavfi', '-i', 'color=red:s=32x18', '-frames:v', '1']),
  };
}
