/** The documents that edits leave in the bucket. Each version has one document, even after lost races. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Assets } from '../../../../../lambdas/assets/records/assets.ts';
import {
  type Edit,
  Transcriptions,
} from '../../../../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { assetPrefix, MediaObjects } from '../../../../../platform/objects/media-objects.ts';
import { TenantTable, type Write } from '../../../../../platform/table/tenant-table.ts';
import type { AssetId } from '../../../../../shared/ids.ts';
import { startTestApi } from '../../../../support/test-api.ts';

let s3: S3Client;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  s3 = new S3Client({ endpoint: api.s3.url, region: 'us-east-1', credentials, forcePathStyle: true });
});
afterAll(async () => {
  s3.destroy();
});

/** Media objects that run `meanwhile` before they write a document. */
class Interrupted extends MediaObjects {
  meanwhile: () => Promise<unknown> = async () => {};

  override async write(...document: Parameters<MediaObjects['write']>): Promise<void> {
    await this.meanwhile();
    await super.write(...document);
  }
}

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
  const objects = new Interrupted(s3, 'media', acme.id);
  return { asset, id, objects, slow: new Transcriptions(acme.table, objects, acme.id) };
}

async function documentsOf(asset: AssetId): Promise<string[]> {
  const Prefix = assetPrefix(acme.id, asset);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'media', Prefix }));
  return Contents.map(({ Key }) => Key!);
}

describe('an edit that conflicts with a concurrent edit', () => {
  it('removes its document, tries again, and keeps the documents of all versions', async () => {
    const { asset, id, objects, slow } = await transcribed();
    let races = 0;
    objects.meanwhile = async () => {
      races += 1;
      if (races <= 2) await acme.transcriptions.edit(asset, id, editor(), saying(`faster ${races}`));
    };
    const head = await slow.edit(asset, id, editor(), (segments, at) =>
      saying(`${at.version}`)(segments, at),
    );
    expect([head.version, races]).toEqual([4, 3]);
    expect((await slow.segments(head))[0]!.text).toBe('3');
    const versions = await Promise.all([1, 2, 3, 4].map((version) => slow.atVersion(head, version)));
    expect(await documentsOf(asset)).toEqual(versions.map(({ document }) => document).toSorted());
  });

  it('removes its document if it gives up', async () => {
    const { asset, id, objects, slow } = await transcribed();
    let at = 0;
    objects.meanwhile = async () => {
      at += 1;
      await acme.transcriptions.edit(asset, id, editor(), saying(`faster ${at}`));
    };
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

describe('an edit during the deletion of its asset', () => {
  it('throws NotFound and leaves no document', async () => {
    const { asset, id, objects, slow } = await transcribed();
    objects.meanwhile = async () => {
      await new Assets(acme.table, acme.id).beginDeletion(asset, new Date(), undefined);
      await objects.deleteAll(assetPrefix(acme.id, asset));
    };
    await expect(slow.edit(asset, id, editor(), saying('too late'))).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(await documentsOf(asset)).toEqual([]);
  });

  it('throws NotFound if the records are deleted, too', async () => {
    const { asset, id, objects, slow } = await transcribed();
    const assets = new Assets(acme.table, acme.id);
    objects.meanwhile = async () => {
      await assets.beginDeletion(asset, new Date(), undefined);
      await objects.deleteAll(assetPrefix(acme.id, asset));
      await assets.erase(asset);
    };
    await expect(slow.edit(asset, id, editor(), saying('too late'))).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(await documentsOf(asset)).toEqual([]);
  });
});

describe('a transcription that is created during the deletion of its asset', () => {
  it('throws NotFound and leaves no document', async () => {
    const { asset, id, objects, slow } = await transcribed();
    const segments = await slow.segments(await slow.get(asset, id));
    objects.meanwhile = async () => {
      await new Assets(acme.table, acme.id).beginDeletion(asset, new Date(), undefined);
      await objects.deleteAll(assetPrefix(acme.id, asset));
    };
    const head = { ...(await slow.get(asset, id)), transcription_id: uuidv7() };
    await expect(slow.create(head, segments)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await documentsOf(asset)).toEqual([]);
    expect(await slow.find(asset, head.transcription_id)).toBeNull();
  });
});
