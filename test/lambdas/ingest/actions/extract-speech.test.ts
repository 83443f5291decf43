import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  durationOfSpeech,
  type Extraction,
  extractSpeech,
  type Resume,
  replaySpeech,
} from '../../../../lambdas/ingest/actions/extract-speech.ts';
import { BUCKET, startTestServer, type TestServer } from '../../../../local/test/s3/harness.ts';
import { samplesOf } from '../../../../media/ffmpeg/extract-sound.ts';
import { MediaObjects } from '../../../../platform/objects/media-objects.ts';
import { asTenantId } from '../../../../shared/ids.ts';
import { mediaUnreadable } from '../../../../shared/job-errors.ts';
import { withFile } from '../../../fixtures/file-source.ts';
import { aac, makeMedia, tone, tools } from '../../../fixtures/media.ts';

/** Three parts of 262 s, and a rest. */
const SECONDS = 900;
const tenant = asTenantId('demo');
const key = 't/demo/assets/a/derived/audio/j/speech.wav';

let server: TestServer;
let objects: MediaObjects;
let file: string;
let whole: Buffer;

beforeAll(async () => {
  server = await startTestServer();
  objects = new MediaObjects(server.client, BUCKET, tenant);
  const sweep = ['-f', 'lavfi', '-i', `aevalsrc=0.4*sin(2*PI*t*(200+t/10)):s=16000:d=${SECONDS}`];
  file = await makeMedia('talk.mka', [...sweep, '-c:a', 'flac', '-compression_level', '0']);
  await extract();
  whole = Buffer.from((await objects.read(key))!);
});
beforeEach(() => objects.deleteAll('t/demo/'));
afterAll(() => server.close());

const extract = (resume: Resume | null = null, given: Partial<Extraction> = {}, from = file) =>
  withFile(from, (source) =>
    extractSpeech(
      { objects, key, resume },
      {
        tools,
        source,
        track: 1,
        claimed_ms: SECONDS * 1000,
        budget_ms: 60_000,
        timeout_ms: 60_000,
        signal: new AbortController().signal,
        hear: () => {},
        reached: async () => {},
        ...given,
      },
    ),
  );

/** Runs as many invocations as it takes; each ends with the first part that is full. */
async function extractInPieces(): Promise<Resume[]> {
  const handedOn: Resume[] = [];
  for (let resume: Resume | null = null; ; ) {
    resume = await extract(resume, { budget_ms: 0 });
    if (resume === null) return handedOn;
    handedOn.push(resume);
  }
}

async function left(): Promise<string[]> {
  const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const { Uploads = [] } = await server.client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  return [...Contents, ...Uploads].map(({ Key }) => Key!);
}

describe('the speech of an asset', () => {
  it('is uploaded as it is decoded, with its length in the header', () => {
    expect(durationOfSpeech(whole.length)).toBe(SECONDS * 1000);
    expect([whole.readUInt32LE(4), whole.readUInt32LE(40)]).toEqual([whole.length - 8, whole.length - 44]);
  });

  it('is the same after several invocations', async () => {
    const handedOn = await extractInPieces();
    expect(handedOn.map(({ etags }) => etags.length)).toEqual([0, 1, 2]);
    expect(Buffer.compare(Buffer.from((await objects.read(key))!), whole)).toBe(0);
    expect(await left()).toEqual([key]);
  });

  it.each(['the first', 'a later'])(
    'is the same after %s invocation crashed and was retried',
    async (which) => {
      const resume = which === 'the first' ? null : await extract(null, { budget_ms: 0 });
      let pieces = 0;
      const dies = () => {
        pieces += 1;
        if (pieces === 150) throw new Error('kill -9');
      };
      await expect(extract(resume, { reached: dies })).rejects.toThrow('kill -9');
      expect(await extract(resume)).toBeNull();
      expect(Buffer.compare(Buffer.from((await objects.read(key))!), whole)).toBe(0);
      expect(await left()).toEqual([key]);
    },
  );

  it('leaves no upload after a failure or a crash', async () => {
    const refuses = (position_ms: number) => {
      if (position_ms > 600_000) throw mediaUnreadable('It is damaged.');
    };
    await expect(extract(null, { reached: refuses })).rejects.toMatchObject({ code: 'media_unreadable' });
    expect(await left()).toEqual([]);
    await objects.createUpload(key);
    await extract();
    expect(await left()).toEqual([key]);
  });

  it('is not extracted again if it is complete', async () => {
    await extract();
    const heard: number[] = [];
    expect(await extract(null, { hear: (samples) => heard.push(samples.length) })).toBeNull();
    expect(heard).toEqual([]);
  });

  it('can be read again from its object', async () => {
    await extract();
    const heard: Int16Array[] = [];
    await replaySpeech({ objects, key }, SECONDS * 1000, (samples) => heard.push(samples.slice()));
    const again = Buffer.concat(heard.map(({ buffer }) => Buffer.from(buffer)));
    expect(Buffer.compare(again, whole.subarray(44))).toBe(0);
  });

  it('is analyzed during the decoding, and its position is reported', async () => {
    let heard = 0;
    const positions: number[] = [];
    const hear = (samples: Int16Array) => {
      heard += samples.length;
    };
    await extract(null, { hear, reached: async (at) => void positions.push(at) });
    expect(heard).toBe(SECONDS * 16_000);
    expect(positions.at(-1)).toBe(SECONDS * 1000);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('of a short file is stored as one object, without a multipart upload', async () => {
    const short = await makeMedia('short.m4a', [...tone(1), ...aac]);
    await extract(null, {}, short);
    const wav = (await objects.read(key))!;
    expect(Math.abs(durationOfSpeech(wav.length) - 1000)).toBeLessThan(60);
    expect(samplesOf(wav.subarray(44)).length).toBe((wav.length - 44) / 2);
  });
});
