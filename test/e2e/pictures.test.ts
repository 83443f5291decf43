import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { makeTestVideo } from '../support/test-videos.ts';
import { ended, finish, it, upload } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('analyzes all pictures of a silent video with a cut, a title card and a moving subject', async ({
  cloud,
}) => {
  const course = { through: [[0, 0.2] as const, [74, 0.8] as const] };
  const video = await makeTestVideo(
    {
      ...{ width: 640, height: 360, rate: '25' },
      scenes: [
        { picture: { kind: 'colour', seed: 1 }, frames: 60, title: 'KINORA' },
        {
          picture: { kind: 'texture', seed: 3 },
          frames: 75,
          subjects: [{ seed: 4, size: 0.4, x: course, y: { through: [[0, 0.5]] } }],
        },
      ],
    },
    folder,
  );
  const { json: template } = await cloud.call('POST', '/v1/templates', { name: 'Seen', enabled_ocr: true });
  const more = { template_id: template.template_id };
  const sent = await upload(cloud, readFileSync(video.file), more);
  const job = await ended(cloud, sent.assetId, await finish(cloud, sent.assetId, sent.etags));
  const path = `/v1/assets/${sent.assetId}`;
  const { json: asset } = await cloud.call('GET', path);
  const status = Object.fromEntries(
    Object.entries(asset.analyses as Record<string, { status: string }>).map(([kind, one]) => [
      kind,
      one.status,
    ]),
  );
  expect(status).toMatchObject({ camera_shoots: 'ready', faces: 'ready', ocr: 'ready', autocenter: 'ready' });
  expect(job.items).toMatchObject([{ kind: 'ocr', status: 'succeeded' }]);
  const list = async (name: string) => (await cloud.call('GET', `${path}/${name}`)).json.data;
  const shots = await list('camera_shoots');
  expect(shots.map((shot: { start_frame: number }) => shot.start_frame)).toEqual([0, 60]);
  expect(await list('faces')).toEqual([]);
  const centers = await list('autocenter');
  expect(centers.at(-1)).toMatchObject({ source: 'motion' });
  const { json: storyboard } = await cloud.call('GET', `${path}/storyboard`);
  expect(storyboard.webvtt).toContain(`${storyboard.sheets[0]}#xywh=160,0,160,90`);
  const sheet = await fetch(storyboard.sheets[0]);
  expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const { json: poster } = await cloud.call('GET', `${path}/poster`);
  expect((await fetch(poster.url)).status).toBe(200);
});
