import { describe, expect, it } from 'vitest';
import { indexAsset } from '../../../lambdas/analyses/actions/index-asset.ts';
import { Assets } from '../../../lambdas/assets/records/assets.ts';
import { startTestApi } from '../../support/test-api.ts';

const api = await startTestApi();
const acme = await api.tenant('acme');
const other = await api.tenant('other');

const technology = {
  scheme: 'EBU ContentCS',
  code: '3.1.6.8',
  name: 'Technology',
  confidence: null,
} as const;

async function analysed(names: readonly string[], classifications = [technology]) {
  const asset = await acme.readyAsset();
  const entities = names.map((text) => ({ text, type: 'other' as const, confidence: null, mentions: [] }));
  const head = { title: null, summary: null, sentiment: null, classifications };
  const details = { keywords: [], entities, chapters: [], texts: [] };
  await indexAsset(asset, { head, details }, new Date(), new Assets(acme.table, acme.id));
  return asset;
}

const found = async (filter: string, value: string, tenant = acme) => {
  const { json } = await tenant.call('GET', `/v1/assets?${filter}=${encodeURIComponent(value)}`);
  return json.data.map(({ asset_id }: { asset_id: string }) => asset_id) as string[];
};

describe('assets can be found', () => {
  it.each([
    ['with other capital letters', 'Ana Ruiz', ' ana RUIZ '],
    ['with another encoding of accents', 'Núñez'.normalize('NFC'), 'Núñez'.normalize('NFD')],
    ['with characters that are special in URLs and keys', 'AC/DC? 100% #1 & A|B', 'ac/dc? 100% #1 & a|b'],
    ['with commas', 'Washington, D.C.', 'Washington, D.C.'],
    ['of 2,000 characters, by the first 255 characters', 'ñ'.repeat(2000), 'Ñ'.repeat(255)],
    ['of characters with two UTF-16 units', '😀'.repeat(200), '😀'.repeat(200)],
  ])('by a name %s', async (_, name, asked) => {
    const asset = await analysed([name, 'Somebody else']);
    expect(await found('entities', asked)).toEqual([asset]);
    expect(await found('entities', asked, other)).toEqual([]);
  });

  it('by several names only if the text contains all of them', async () => {
    const asset = await analysed(['Grace Hopper', 'COBOL']);
    expect(await found('entities', 'Grace Hopper,cobol')).toEqual([asset]);
    expect(await found('entities', 'Grace Hopper,Fortran')).toEqual([]);
  });

  it('by the code of a genre, by its parent genres and by its name', async () => {
    const asset = await analysed(['x']);
    for (const value of ['3.1.6.8', '3.1.6', '3.1', 'technology'])
      expect(await found('classification', value)).toContain(asset);
    expect(await found('classification', '3.1.6.80')).toEqual([]);
  });

  it('by more names than a transaction allows, until another analysis finds other names', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `Name ${i}`);
    const asset = await analysed(names);
    expect(await found('entities', 'Name 0,name 199')).toEqual([asset]);
    const nothing = { title: null, summary: null, sentiment: null, classifications: [] };
    const details = { keywords: [], entities: [], chapters: [], texts: [] };
    await indexAsset(asset, { head: nothing, details }, new Date(), new Assets(acme.table, acme.id));
    expect(await found('entities', 'Name 0')).toEqual([]);
    expect(await found('classification', '3.1.6.8')).not.toContain(asset);
  });

  it('by only the first names if there are too many for an item', async () => {
    const names = Array.from({ length: 540 }, (_, i) => `${String(i).padStart(4, '0')}${'字'.repeat(250)}`);
    const asset = await analysed(names);
    const assets = new Assets(acme.table, acme.id);
    await assets.relist(asset, 'speakers', names, new Date());
    for (const filter of ['entities', 'speakers']) {
      expect(await found(filter, names[0]!)).toEqual([asset]);
      expect(await found(filter, names[539]!)).toEqual([]);
    }
    await assets.relist(asset, 'speakers', names.slice(539), new Date());
    expect(await found('speakers', names[0]!)).toEqual([]);
    expect(await found('speakers', names[539]!)).toEqual([asset]);
  });

  it('by the current name of a speaker', async () => {
    const asset = await acme.readyAsset();
    const { json } = await acme.call('POST', `/v1/assets/${asset}/speakers`, { name: 'Ruiz, Ana' });
    expect(await found('speakers', 'ruiz, ana')).toEqual([asset]);
    await acme.call('PATCH', `/v1/assets/${asset}/speakers/${json.speaker_id}`, { name: 'Zoë' });
    expect(await found('speakers', 'ruiz, ana')).toEqual([]);
    expect(await found('speakers', 'ZOË')).toEqual([asset]);
  });
});
