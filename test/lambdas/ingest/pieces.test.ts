import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedKey } from '../../../platform/store/objects.ts';
import { type Api, startApi } from '../../support/api.ts';
import { processed } from '../../support/processed.ts';
import { type StateMachines, startStateMachines } from '../../support/state-machines.ts';

let api: Api;
let machines: StateMachines;

beforeAll(async () => {
  machines = await startStateMachines();
  api = await startApi();
});
afterAll(async () => {
  await api.close();
  await machines.close();
});

const silence = { duration_ms: 120_000, sounds: [], utterances: [], pauses: [], turns: [] };
const pieces = [
  { index: 0, start_ms: 0, end_ms: 60_000 },
  { index: 1, start_ms: 60_000, end_ms: 120_000 },
];

async function transcribing(name: string) {
  const tenant = await api.tenant(name);
  const { id, job } = await processed(tenant);
  const key = derivedKey(tenant.id, id, 'audio', job, 'sound.json');
  await tenant.objects.write(key, JSON.stringify(silence), 'application/json');
  const { handler } = await import('../../../lambdas/ingest/steps/transcribe-piece.ts');
  const input = { tenant: tenant.id, asset_id: id, job_id: job, audio: { key, duration_ms: 120_000 } };
  const transcribe = handler as unknown as (input: object, context: object) => Promise<unknown>;
  const minutes = async () => {
    const { json } = await tenant.call('GET', '/v1/usages/current_month');
    const isThat = ({ metric }: { metric: string }) => metric === 'transcription_minutes';
    return json.metrics.find(isThat).quantity;
  };
  return {
    tenant,
    job,
    minutes,
    transcribed: (at: number) => transcribe({ ...input, piece: pieces[at] }, {}),
  };
}

describe('a piece of the audio', () => {
  it('is metered when it is transcribed, once however often its step runs', async () => {
    const { minutes, transcribed } = await transcribing('patient');
    await transcribed(0);
    await transcribed(0);
    expect(await minutes()).toBe(1);
    await transcribed(1);
    expect(await minutes()).toBe(2);
  });

  it('is paid for where the job is canceled before the others are done', async () => {
    const { tenant, job, minutes, transcribed } = await transcribing('hasty');
    await transcribed(0);
    const { status } = await tenant.call('POST', `/v1/jobs/${job}/cancel`);
    expect(status).toBeLessThan(300);
    await expect(transcribed(1)).rejects.toThrow();
    expect(await minutes()).toBe(1);
  });
});
