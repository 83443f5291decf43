import { describe, expect } from 'vitest';
import { jobEnd, type TranslationJob } from '../../client/index.ts';
import { hasPocketsphinx } from '../engines/transcription/pocketsphinx-installed.ts';
import { hasApertium } from '../engines/translation/apertium-installed.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { ended, finish, firstSeconds, it, upload } from './support.ts';

const skip = !hasApertium() || !hasPocketsphinx();

describe.skipIf(skip)('a clip whose template requests Spanish', () => {
  let cloud: LocalCloud;
  let asset_id: string;
  const ids: Record<string, string> = {};

  it.beforeAll(async ({ cloud: running }) => {
    cloud = running;
    const { json } = await cloud.call('GET', '/v1/languages?items=100');
    for (const { code, language_id } of json.data) ids[code] = language_id;
    const { json: template } = await cloud.call('POST', '/v1/templates', {
      name: 'In Spanish',
      translation_language_ids: [ids.es, ids.en],
    });
    const sent = await upload(cloud, firstSeconds(6), { template_id: template.template_id });
    asset_id = sent.assetId;
    const job = await ended(cloud, asset_id, await finish(cloud, asset_id, sent.etags));
    expect(job.status).toBe('succeeded');
  });

  const transcriptions = async () =>
    (await cloud.call('GET', `/v1/assets/${asset_id}/transcriptions`)).json.data as {
      transcription_id: string;
      language_id: string;
      version: number;
      stale: boolean;
    }[];
  const of = async (code: string) =>
    (await transcriptions()).find(({ language_id }) => language_id === ids[code])!;
  const translate = async (
    code: string,
    during: () => Promise<void> = async () => {},
  ): Promise<TranslationJob> => {
    const body = { language_ids: [ids[code]!] };
    const { job_id } = await cloud.kinora.createTranslationJob({ asset_id, body });
    await during();
    return jobEnd(
      () => cloud.kinora.getTranslationJob({ asset_id, job_id }),
      () => {},
      100,
    );
  };

  it('has Spanish subtitles when it is ready, and a status for each requested language', async () => {
    const { json: asset } = await cloud.call('GET', `/v1/assets/${asset_id}`);
    expect(asset.translations).toMatchObject([
      { language_id: ids.es, status: 'ready' },
      { language_id: ids.en, status: 'skipped' },
    ]);
    const { transcription_id } = await of('es');
    const vtt = await cloud.call('GET', `/v1/assets/${asset_id}/transcriptions/${transcription_id}/vtt`);
    expect(vtt.text).toMatch(/^WEBVTT/);
    expect(vtt.text).toMatch(/bienvenido|cortometraje|película/i);
    const english = await cloud.call(
      'GET',
      `/v1/assets/${asset_id}/transcriptions/${(await of('en')).transcription_id}/vtt`,
    );
    expect(vtt.text.match(/-->/g)).toHaveLength(english.text.match(/-->/g)!.length);
  });

  it('is translated into French by a job that survives kill -9 of the whole cloud', async () => {
    const job = await translate('fr', async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await cloud.killAll();
      await cloud.start();
    });
    expect(job).toMatchObject({ status: 'succeeded', progress: 1, items: [{ status: 'succeeded' }] });
    expect((await of('fr')).version).toBe(1);
  });

  it('translates only the sentences of edited segments again', async () => {
    const [english, spanish] = [await of('en'), await of('es')];
    const path = `/v1/assets/${asset_id}/transcriptions`;
    const { json: before } = await cloud.call('GET', `${path}/${spanish.transcription_id}`);
    const { json: original } = await cloud.call('GET', `${path}/${english.transcription_id}`);
    const { segment_id, text } = original.segments[0];
    const edited = { text: text.replace(/\bfilm\b/i, 'book') };
    await cloud.call('PATCH', `${path}/${english.transcription_id}/segments/${segment_id}`, edited);
    expect((await cloud.call('GET', `${path}?stale=true`)).json.data).toHaveLength(2);
    const body = { language_ids: [ids.es!], segment_ids: [segment_id] };
    const { job_id } = await cloud.kinora.createPartialRetranslationJob({ asset_id, body });
    const look = () => cloud.kinora.getPartialRetranslationJob({ asset_id, job_id });
    expect(await jobEnd(look, () => {}, 100)).toMatchObject({
      status: 'succeeded',
      items: [{ result: { version: 2 } }],
    });
    const { json: after } = await cloud.call('GET', `${path}/${spanish.transcription_id}`);
    expect(after.segments[0].text).toContain('libro');
    expect(after.segments.slice(1)).toEqual(before.segments.slice(1));
    expect((await of('es')).stale).toBe(false);
  });
});
