/** The number of reads of a request: it reads every record and every document once. */
import { uuidv7 } from 'uuidv7';
import { expect, it, vi } from 'vitest';
import {
  loadTranscription,
  transcriptionServices,
} from '../../../../lambdas/transcripts/files/actions/load-transcription.ts';
import { makeStl } from '../../../../lambdas/transcripts/files/actions/make-stl.ts';
import { reportQuality } from '../../../../lambdas/transcripts/files/actions/report-quality.ts';
import { createSegments } from '../../../../lambdas/transcripts/segments/actions/create-segments.ts';
import { TenantTable } from '../../../../platform/table/tenant-table.ts';
import { startTestApi } from '../../../support/test-api.ts';

/** The keys of the records and documents that were read, in order. */
let reads: string[] = [];

class CountingTable extends TenantTable {
  override async get(...[key, ...rest]: Parameters<TenantTable['get']>): Promise<never> {
    reads.push(`${key.pk} ${key.sk}`);
    return super.get(key, ...rest) as never;
  }

  override async queryAll(...[range]: Parameters<TenantTable['queryAll']>): Promise<never[]> {
    const items = await super.queryAll(range);
    reads.push(...items.map(({ pk, sk }) => `${pk} ${sk}`));
    return items as never[];
  }
}

const api = await startTestApi();
const acme = await api.tenant('acme');

const { objects } = acme;
const read = objects.read.bind(objects);
vi.spyOn(objects, 'read').mockImplementation(async (...place) => {
  reads.push(place[0]);
  return read(...place);
});

const stl = { display_standard: 'level1', time_codes: 'clock', include_sound_descriptions: true } as const;
const segment = { text: 'Two', start_ms: 5000, end_ms: 6000, speaker: 'Ana' };

it.each(['createSegments', 'getStl', 'getQcReport'] as const)(
  '%s reads each database record only once',
  async (operation) => {
    const asset_id = await acme.readyAsset();
    const place = { asset_id, transcription_id: await acme.transcribed(asset_id, ['One']) };
    await acme.call('POST', `/v1/assets/${asset_id}/speakers`, { name: segment.speaker });
    const table = new CountingTable(api.environment.client, 'Core', acme.id);
    const services = transcriptionServices(table, objects, acme.id);
    reads = [];
    if (operation === 'createSegments') {
      const request = { now: new Date(), newId: uuidv7, newResourceId: uuidv7(), ifMatch: undefined };
      let lists = 0;
      const list = services.transcriptions.list.bind(services.transcriptions);
      services.transcriptions.list = async (...asset) => {
        const before = reads.length;
        const heads = await list(...asset);
        // The second list finds translations that were written at the same time, so it must come after the write.
        if (lists++ > 0) reads.length = before;
        return heads;
      };
      const { answer } = await createSegments(place, [segment], request, services);
      expect(answer.segments).toHaveLength(1);
    } else {
      const loaded = await loadTranscription(place, services);
      if (operation === 'getStl') expect(makeStl(loaded, [], stl).file.length).toBeGreaterThan(1024);
      else await reportQuality(loaded, 'broadcast', { table, objects, tenant: acme.id });
    }
    expect(reads.length).toBeGreaterThan(2);
    expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted());
  },
);
