/** The documents that edits leave in the bucket. Each version has one document, even after lost races. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import { Assets } from '../../../../../lambdas/assets/records/assets.ts';
import {
  type Edit,
  Transcriptions,
} from '../../../../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { assetPrefix } from '../../../../../platform/objects/media-objects.ts';
import { TenantTable, type Write } from '../../../../../platform/table/tenant-table.ts';
import type { AssetId } from '../../../../../shared/ids.ts';
import { startTestApi } from '../../../../support/test-api.ts';

const api = await startTestApi();
const acme = await api.tenant('acme');

/** A table that sends every transaction twice, as the SDK does when a response is lost. */
class Repeating extends TenantTable {
  override async transact(writes: readonly Write[]): Promise<void> {
    await super.transact(writes);
    await super.transact(writes);
  }
}

/** A table on which every transaction conflicts with another one, at every attempt. */
class Clashing extends TenantTable {
  override transact(): Promise<void> {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }, { Code: 'None' }];
    const clash = { message: 'Transaction cancelled', $metadata: {}, CancellationReasons };
    return Promise.reject(new TransactionCanceledException(clash));
  }
}

const editor = () => ({ now: new Date('2026-11-21T10:00:00Z'), newId: uuidv7 });
const saying =
  (text: string): Edit =>
  (segments) => [{ ...segments[0]!, text }, ...segments.slice(1)];

async function transcribed() {
  const asset = await acme.readyAsset();
  const id = await acme.transcribed(asset, ['first']);
  const { objects, transcriptions: slow } = await api.tenant('acme');
  const write = objects.write.bind(objects);
  return {
    asset,
    id,
    slow,
    /** Does the work before `slow` writes a document. */
    meanwhile: (work: () => Promise<unknown>) =>
      vi.spyOn(objects, 'write').mockImplementation(async (...document) => {
        await work();
        await write(...document);
      }),
  };
}

const documentsOf = (asset: AssetId) => acme.objects.keys(assetPrefix(acme.id, asset));

describe('an edit that conflicts with a concurrent edit', () => {
  it('removes its document, tries again, and keeps the documents of all versions', async () => {
    const { asset, id, meanwhile, slow } = await transcribed();
    let races = 0;
    meanwhile(async () => {
      races += 1;
      if (races <= 2) await acme.transcriptions.edit(asset, id, editor(), saying(`faster ${races}`));
    });
    const head = await slow.edit(asset, id, editor(), (segments, at) =>
      saying(`${at.version}`)(segments, at),
    );
    expect([head.version, races]).toEqual([4, 3]);
    expect((await slow.segments(head))[0]!.text).toBe('3');
    const versions = await Promise.all([1, 2, 3, 4].map((version) => slow.atVersion(head, version)));
    expect(await documentsOf(asset)).toEqual(versions.map(({ document }) => document).toSorted());
  });

  it('removes its document if it gives up', async () => {
    const { asset, id, meanwhile, slow } = await transcribed();
    let at = 0;
    meanwhile(async () => {
      at += 1;
      await acme.transcriptions.edit(asset, id, editor(), saying(`faster ${at}`));
    });
    await expect(slow.edit(asset, id, editor(), saying('never'))).rejects.toMatchObject({
      code: 'write_conflict',
    });
    expect(await documentsOf(asset)).toHaveLength(1 + at);
  });
});

describe('an edit whose transaction always fails', () => {
  it('removes its document', async () => {
    const { asset, id } = await transcribed();
    const table = new Clashing(api.environment.client, 'Core', acme.id);
    const clashing = new Transcriptions(table, acme.objects, acme.id);
    await expect(clashing.edit(asset, id, editor(), saying('never'))).rejects.toThrow('cancelled');
    expect(await documentsOf(asset)).toHaveLength(1);
  });
});

describe('an edit whose transaction is sent twice', () => {
  it('keeps the document to which the transcription refers after the first transaction', async () => {
    const { asset, id } = await transcribed();
    const table = new Repeating(api.environment.client, 'Core', acme.id);
    const repeating = new Transcriptions(table, acme.objects, acme.id);
    const head = await repeating.edit(asset, id, editor(), saying('second'));
    expect(head.version).toBe(2);
    expect((await acme.transcriptions.segments(await acme.transcriptions.get(asset, id)))[0]!.text).toBe(
      'second',
    );
    expect(await documentsOf(asset)).toHaveLength(2);
  });
});

describe('during the deletion of its asset', () => {
  it.each(['an edit', 'an edit after the records are deleted', 'the creation of a transcription'])(
    '%s throws NotFound and leaves nothing',
    async (work) => {
      const { asset, id, meanwhile, slow } = await transcribed();
      const head = await slow.get(asset, id);
      const assets = new Assets(acme.table, acme.id);
      const isErased = work.includes('records are deleted');
      meanwhile(async () => {
        await assets.beginDeletion(asset, new Date(), undefined);
        await acme.objects.deleteAll(assetPrefix(acme.id, asset));
        if (isErased) await assets.erase(asset);
      });
      const written =
        work === 'the creation of a transcription'
          ? slow.create({ ...head, transcription_id: uuidv7() }, await slow.segments(head))
          : slow.edit(asset, id, editor(), saying('too late'));
      await expect(written).rejects.toMatchObject({ code: 'resource_not_found' });
      expect(await documentsOf(asset)).toEqual([]);
      expect(await slow.list(asset)).toHaveLength(isErased ? 0 : 1);
    },
  );
});
