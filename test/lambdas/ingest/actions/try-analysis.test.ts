import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { localFaces } from '../../../../engines/faces/face-api.ts';
import type { Faces } from '../../../../engines/faces/port.ts';
import type { Ocr } from '../../../../engines/ocr/port.ts';
import {
  type Recognition,
  recognizePictures,
} from '../../../../lambdas/ingest/actions/recognize-pictures.ts';
import { tryAnalysis } from '../../../../lambdas/ingest/actions/try-analysis.ts';
import { engineUnavailable, providerUnavailable } from '../../../../shared/job-errors.ts';

const { signal } = new AbortController();
const busy = () => providerUnavailable('It is busy.');

describe('an analysis of pictures', () => {
  const picture = async () => ({
    ...{ at_ms: 0, frame: 0, width: 512, height: 512 },
    jpeg: await readFile('test/fixtures/photographs/eileen-collins.jpg'),
  });
  const looked = async (engines: Pick<Recognition, 'faces' | 'ocr'>, count = 1) =>
    recognizePictures(Array(count).fill(await picture()), Array(count).fill(false), {
      ...engines,
      ...{ signal, again_ms: [0], languages: ['en'], sample_ms: 1000 },
      tools: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' },
      shots: [{ start_ms: 0, end_ms: 1000 }],
      keep: () => ({ from: 0, to: 1 }),
      reached: () => {},
    });
  const text = { text: 'NASA', box: { x: 0, y: 0, width: 0.1, height: 0.1 }, confidence: 1 };
  const reads: Ocr = { read: async () => [text] };

  it('fails, without the other analyses, if its engine is unavailable or fails for a picture', async () => {
    const absent = async (): Promise<Faces> => {
      throw engineUnavailable('The networks are missing.');
    };
    const { faces, texts, failures } = await looked({ faces: absent, ocr: async () => reads });
    expect([faces, texts]).toEqual([[[]], [[text]]]);
    expect(failures).toMatchObject({ faces: { code: 'engine_unavailable' } });
    const broken: Ocr = { read: () => Promise.reject(new Error('Something of its inside')) };
    const other = await looked({ faces: async () => localFaces(), ocr: async () => broken });
    expect([other.faces[0]!.length, other.texts]).toEqual([1, [[]]]);
    expect(other.failures).toMatchObject({ ocr: { code: 'internal_error' } });
    expect(JSON.stringify(other.failures)).not.toContain('inside');
  });

  it('retries only the pictures for which its engine was busy', async () => {
    let asked = 0;
    const sometimes: Ocr = {
      read: async () => {
        asked += 1;
        if (asked === 6) throw busy();
        return [text];
      },
    };
    const { texts, failures } = await looked({ faces: null, ocr: async () => sometimes }, 9);
    expect([texts, failures]).toEqual([Array(9).fill([text]), {}]);
    expect(asked).toBe(10);
  });
});

describe('tryAnalysis', () => {
  it('retries temporary failures, and gives up if they continue', async () => {
    let left = 2;
    const passes = async () => {
      left -= 1;
      if (left > 0) throw busy();
      return 'done';
    };
    expect(await tryAnalysis(passes, { signal, again_ms: [0, 0] })).toEqual({ result: 'done' });
    const stays = () => Promise.reject(busy());
    expect(await tryAnalysis(stays, { signal, again_ms: [0] })).toMatchObject({
      failure: { code: 'provider_unavailable', detail: 'It is busy. Create the job again later.' },
    });
  });

  it('throws if the job is canceled', async () => {
    const aborted = new AbortController();
    const working = tryAnalysis(
      async () => {
        aborted.abort(new Error('canceled'));
        throw busy();
      },
      { signal: aborted.signal, again_ms: [60_000] },
    );
    await expect(working).rejects.toThrow('canceled');
  });
});
