/** The permissions of each API function. `tsc` fails for a resource of the contract without a line here. */

import type { ResourceName } from '../../contract/index.ts';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { Permissions } from '../../platform/steps/permissions.ts';

export interface ApiSettings {
  readonly permissions: Permissions;
  /** State machines that its handlers start, by name of the definition. */
  readonly starts?: readonly string[];
}

/** Every request is authenticated; every POST may carry an idempotency key. */
const request = { Auth: ['get'], Ephemeral: ['put', 'update'] } as const;

/** An operation that starts a job also reads how much of its quotas the tenant's jobs hold. */
const jobRequest = { Auth: ['get'], Ephemeral: ['get', 'put', 'update'] } as const;

/** Configuration refers to other configuration, which a transaction checks. */
const configured = ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] as const;

/** Writes a job, and reads the asset and the configuration that the job names. */
const starting = ['batchGet', 'check', 'delete', 'get', 'put', 'query'] as const;

const configuration: ApiSettings = { permissions: { tables: { ...request, Core: configured } } };

/** Configuration with an encrypted part. None of these functions decrypts it. */
const secretive: ApiSettings = {
  permissions: { ...configuration.permissions, engines: { secrets: ['generate'] } },
};

/** Edits of transcriptions read and write documents. An edit that loses to a faster one removes its document again. */
const editing: ApiSettings = {
  permissions: {
    tables: { ...request, Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
  },
};

export const apiSettings: Readonly<Record<ResourceName, ApiSettings>> = {
  assets: { permissions: { tables: { ...request, Core: ['batchGet', 'get', 'query'] } } },
  assetLifecycle: {
    permissions: { ...configuration.permissions, admin: true },
    starts: ['DeleteAsset', 'DeliverEvent'],
  },
  uploads: {
    permissions: {
      tables: { ...jobRequest, Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Upload'],
    },
    starts: ['Ingest', 'DeliverEvent'],
  },
  transcriptions: { permissions: { tables: { ...request, Core: ['get', 'query'] }, media: ['Read'] } },
  languages: { permissions: { tables: request } },
  segments: editing,
  speakers: editing,
  templates: configuration,
  wordLists: configuration,
  brandings: configuration,
  views: configuration,
  // The trusted account of a role is a setting of the exporting engines.
  externalStorages: {
    permissions: {
      ...configuration.permissions,
      admin: true,
      engines: { secrets: ['generate'], exporting: [] },
    },
  },
  brandingMedia: {
    permissions: {
      tables: { ...jobRequest, Core: configured },
      admin: true,
      media: ['Read', 'Upload', 'Delete'],
    },
    starts: ['BrandingUpload', 'DeliverEvent'],
  },
  collections: { ...configuration, starts: ['EmptyCollection'] },
  adminStorages: { permissions: { tables: { ...request, Core: ['get', 'query'] }, admin: true } },
  analyses: {
    permissions: {
      tables: { ...request, Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      media: ['Read'],
    },
  },
  tracks: { permissions: { tables: { ...request, Core: ['get', 'query'] }, media: ['Read'] } },
  clips: {
    permissions: { tables: { ...jobRequest, Core: starting }, admin: true, media: ['Read', 'Delete'] },
    starts: ['Clips', 'DeliverEvent'],
  },
  jobs: {
    permissions: {
      tables: { ...request, Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
    },
    starts: [...jobMachines, 'DeliverEvent'],
  },
  translation: {
    permissions: { tables: { ...jobRequest, Core: starting }, admin: true, media: ['Read'] },
    starts: ['Translation', 'DeliverEvent'],
  },
  // The job reserves the characters that it will speak, so the function counts them in the documents.
  voiceOver: {
    permissions: { tables: { ...jobRequest, Core: starting }, admin: true, media: ['Read'] },
    starts: ['VoiceOver', 'DeliverEvent'],
  },
  exports: {
    permissions: { tables: { ...jobRequest, Core: starting }, admin: true, media: ['Read'] },
    starts: ['Export', 'DeliverEvent'],
  },
  publishing: { permissions: { tables: { ...request, Core: ['get'] } } },
  search: { permissions: { tables: { ...request, Core: ['get'] } } },
  channels: secretive,
  quotes: { permissions: { tables: { ...request, Core: ['batchGet', 'get', 'query'] }, media: ['Read'] } },
  usage: { permissions: { tables: { ...request, Core: ['query'] } } },
  events: { permissions: { tables: { ...request, Core: ['get', 'query'] } } },
  webhooks: {
    permissions: { ...configuration.permissions, admin: true, engines: { secrets: ['generate', 'unwrap'] } },
    starts: ['DeliverEvent'],
  },
};

/** Answers requests that match no route. Needs no API key. */
export const fallbackSettings: ApiSettings = { permissions: {} };

/** Serves files of its own bundle. Needs no API key. */
export const referenceSettings: ApiSettings = { permissions: {} };
