/** What a write is given, for tests of what writes. */
import type { ExportedFile, Resume, Writing } from '../../../engines/exporting/port.ts';

export const fileOf = (bytes: Uint8Array, more: Partial<ExportedFile> = {}): ExportedFile => ({
  path: 'kinora/Folge 7/é.vtt',
  content_type: 'text/vtt; charset=utf-8',
  made_of: 'asset/transcription/vtt',
  edition: { version: 1, job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' },
  source: { size: bytes.length, read: async (first, last) => bytes.subarray(first, last + 1) },
  ...more,
});

/** Keeps what is remembered, as the record of a job does. */
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

/** More than goes up at once: two parts. */
export const large = Buffer.alloc(17 * 1024 * 1024, 'Kinora exports ');
export const small = Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello.\n');
