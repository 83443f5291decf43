/** Writes to storages of all types: which one it is, is the tenant's choice and not the environment's. */

import type { Permission } from '../engine.ts';
import { openS3 } from './aws.ts';
import { openAzure } from './azure.ts';
import { digestsOf } from './file-digests.ts';
import { openGcs } from './gcs.ts';
import type { OpenedStorage } from './opened-storage.ts';
import {
  type ExportedFile,
  type ExportingContext,
  exportingEngine,
  type Storage,
  type Writing,
  type Written,
} from './port.ts';
import { writtenTo } from './write-file.ts';

const assumeRole: Permission = {
  actions: ['sts:AssumeRole'],
  resources: ['arn:{partition}:iam::*:role/*'],
  why: "Roles are the tenants', in accounts that nobody knows beforehand. Each names this account and an external id of its own in its trust policy, and one that asks for none is not used.",
};

export const storages = exportingEngine({
  name: 'storages',
  runs: ['aws', 'local'],
  languages: 'any',
  settings: {
    EXPORT_ACCOUNT: {
      description: 'The AWS account that roles of tenants have to trust',
      deployed: '{account}',
      default: '000000000000',
    },
    GCS_URL: {
      description: 'Where the JSON API of Google Cloud Storage is',
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
          : writtenTo(await open(file, storage, writing), file, writing),
      abandon: async (path, storage, { upload }, signal) => {
        if (storage.type === 'dummy') return;
        const opened = await open({ ...nothing, path }, storage, {
          signal,
          deadline: Number.POSITIVE_INFINITY,
        });
        await opened.abort(upload);
      },
    };
  },
});

type Opened = Omit<ExportedFile, 'source'>;

type Time = Pick<Writing, 'signal' | 'deadline'>;

/** Where nothing is put there, only the path counts. */
const nothing = { content_type: '', made_of: '', edition: { version: 0, job_id: '' } };

const openerWith =
  (context: ExportingContext, origin: string) =>
  async (file: Opened, storage: Storage, { signal, deadline }: Time): Promise<OpenedStorage> => {
    const now = new Date();
    const asking = { allows: context.allows, signal, deadline };
    switch (storage.type) {
      case 'aws_s3':
        return openS3(file, storage, context, signal);
      case 'azure':
        return openAzure(file, storage, asking, now);
      case 'gcp_storage':
        return openGcs(file, storage, { ...asking, schemes: context.schemes, origin, now });
      case 'dummy':
        throw new Error('A dummy is not opened.');
    }
  };

/** Reads the file and writes it nowhere. */
async function counted({ source }: ExportedFile, signal: AbortSignal): Promise<Written> {
  const { sha256 } = await digestsOf(source, signal);
  return { location: null, size_bytes: source.size, sha256, confirmed: null };
}
