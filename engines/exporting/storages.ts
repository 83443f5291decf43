/** Writes to storages of all types. The tenant chooses the type, so no setting selects one. */
import type { Permission } from '../engine.ts';
import { openS3 } from './aws.ts';
import { openAzure } from './azure.ts';
import { computeDigests } from './file-digests.ts';
import { openGcs } from './gcs.ts';
import type { OpenedStorage, WrittenFile } from './opened-storage.ts';
import {
  type ExportedFile,
  type ExportingContext,
  exportingEngine,
  type Storage,
  type Writing,
  type Written,
} from './port.ts';
import { writeToStorage } from './write-file.ts';

const assumeRole: Permission = {
  actions: ['sts:AssumeRole'],
  resources: ['arn:{partition}:iam::*:role/*'],
  why: 'Tenants own the roles, in AWS accounts that are not known in advance. The trust policy of each role names this account and an external id. A role that requires no external id is refused.',
};

export const storages = exportingEngine({
  name: 'storages',
  runs: ['aws', 'local'],
  settings: {
    EXPORT_ACCOUNT: {
      description: 'The AWS account that tenants’ roles must trust',
      deployed: '{account}',
      default: '000000000000',
    },
    GCS_URL: {
      description: 'Address of the JSON API of Google Cloud Storage',
      default: 'https://storage.googleapis.com',
    },
  },
  permissions: { write: [assumeRole], abandon: [assumeRole] },
  make: ({ settings, ...context }) => {
    const open = openerWith(context, settings.GCS_URL);
    return {
      write: async (file, storage, writing) =>
        storage.type === 'dummy'
          ? counted(file, writing.signal)
          : writeToStorage(await open(file, storage, writing), file, writing),
      abandon: async (path, storage, { upload }, signal) => {
        if (storage.type === 'dummy') return;
        const opened = await open({ ...nothing, path }, storage, {
          signal,
          deadline: Number.POSITIVE_INFINITY,
        });
        await opened.abortUpload(upload);
      },
    };
  },
});

type Time = Pick<Writing, 'signal' | 'deadline'>;

/** Placeholders for `abandon`, which needs only the path of the file. */
const nothing = { content_type: '', made_of: '', edition: { version: 0, job_id: '' } };

const openerWith =
  (context: ExportingContext, origin: string) =>
  async (file: WrittenFile, storage: Storage, { signal, deadline }: Time): Promise<OpenedStorage> => {
    const now = new Date();
    const { allows, silenceMs } = context;
    const limits = { allows, silenceMs, signal, deadline };
    switch (storage.type) {
      case 'aws_s3':
        return openS3(file, storage, context, signal);
      case 'azure':
        return openAzure(file, storage, limits, now);
      case 'gcp_storage':
        return openGcs(file, storage, { ...limits, schemes: context.schemes, origin, now });
      case 'dummy':
        throw new Error('A dummy storage cannot be opened.');
    }
  };

/** Only computes size and SHA-256, for a dummy storage: nothing is written. */
async function counted({ source }: ExportedFile, signal: AbortSignal): Promise<Written> {
  const { sha256 } = await computeDigests(source, signal);
  return { location: null, size_bytes: source.size, sha256, confirmed: null };
}
