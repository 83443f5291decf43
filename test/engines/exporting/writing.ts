/** Files and options for tests of writing to storages, and the tests that all storages share. */
import { expect, it, onTestFinished } from 'vitest';
import type { ExportedFile, Resume, Writing } from '../../../engines/exporting/port.ts';
import { type Answering, startReceiver } from '../../support/receiver.ts';

export const fileOf = (bytes: Uint8Array, more: Partial<ExportedFile> = {}): ExportedFile => ({
  path: 'kinora/Folge 7/é.vtt',
  content_type: 'text/vtt; charset=utf-8',
  made_of: 'asset/transcription/vtt',
  edition: { version: 1, job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' },
  source: { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) },
  ...more,
});

/** Keeps the stored states, like the record of a job. */
export function writing(more: Partial<Writing> = {}) {
  const remembered: Resume[] = [];
  const given: Writing = {
    signal: new AbortController().signal,
    overwrite: false,
    resume: null,
    remember: async (resume) => {
      remembered.push(resume);
    },
    onProgress: () => {},
    until: Number.POSITIVE_INFINITY,
    deadline: Number.POSITIVE_INFINITY,
    ...more,
  };
  return { given, remembered };
}

/** This file is too large for one request and needs two parts. */
export const large = Buffer.alloc(17 * 1024 * 1024, 'Kinora exports ');
export const small = Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello.\n');

/** A server that answers in place of a storage until the test ends. */
export async function receiving(...answers: readonly Answering[]) {
  const receiver = await startReceiver(...answers);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** The error code and text of a promise that rejects; null if it resolves. */
export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ name, message }: Error) => ({ code: name, detail: message }),
  );

/** Tests the rules for replacing objects. `write` writes to a storage, and `read` reads from it. */
export function replacesOnlyItsOwn(
  write: (file: ExportedFile, more?: Partial<Writing>) => Promise<unknown>,
  read: (path: string) => Promise<string>,
) {
  it('replaces an earlier export of the same thing, and no other object', async () => {
    const path = 'own.vtt';
    await write(fileOf(small, { path }));
    await write(fileOf(Buffer.from('WEBVTT\n'), { path }));
    expect(await read(path)).toBe('WEBVTT\n');
    const other = fileOf(small, { path, made_of: 'another/thing/vtt' });
    expect(await refusal(write(other))).toMatchObject({ code: 'storage_object_exists' });
    await write(other, { overwrite: true });
    expect(await read(path)).toBe(String(small));
  });

  it('keeps a newer export of the same thing, even with `overwrite`', async () => {
    const path = 'newer.vtt';
    await write(fileOf(small, { path, edition: { version: 2, job_id: '0' } }));
    const older = fileOf(Buffer.from('WEBVTT\n'), { path });
    expect(await refusal(write(older, { overwrite: true }))).toMatchObject({
      code: 'storage_object_exists',
      detail: expect.stringContaining('newer'),
    });
    expect(await read(path)).toBe(String(small));
  });
}
