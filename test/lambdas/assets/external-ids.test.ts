import { describe, expect, it } from 'vitest';
import { pathText } from '../../../client/http.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();
const own = await api.tenant('acme');

const create = async (external_id: string) =>
  own.call('POST', '/v1/assets', { filename: 'a.mp4', external_id });
const find = (encoded: string) => own.call('GET', `/v1/external/assets/${encoded}`);

describe('an asset can be found by its external_id', () => {
  it.each([
    'cms/4712',
    '/leading and trailing/',
    'a//b',
    'what?',
    'half#way',
    '50% off',
    '%2F',
    '100%',
    'ünïcødé 世界',
    'plus+plus',
  ])('for example %s', async (external_id) => {
    const made = await create(external_id);
    expect((await find(pathText(external_id))).json).toEqual(made.json);
    // Once is enough where neither decoding of the path changes what it is.
    if (/[%?]/.test(external_id)) return;
    expect((await find(encodeURIComponent(external_id))).json).toEqual(made.json);
  });

  it('in either Unicode form, in the request and in storage', async () => {
    const made = await create('reportaje: año'.normalize('NFD'));
    expect(made.json.external_id).toBe('reportaje: año'.normalize('NFC'));
    for (const form of ['NFC', 'NFD']) {
      expect((await find(pathText('reportaje: año'.normalize(form)))).json).toEqual(made.json);
    }
  });
});
