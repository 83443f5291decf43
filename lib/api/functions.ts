/** What each API function may do. A resource of the contract without a line here fails `tsc`. */

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

/** Configuration with a part that is encrypted, and read again by none of these functions. */
const secretive: ApiSettings = {
  permissions: { ...configuration.permissions, engines: { secrets: ['generate'] } },
};

/** Edits of transcriptions: documents are read, written and, where another edit was faster, removed again. */
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
  // Which account a role has to trust is a setting of what writes in it.
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
  // Of a quota of characters is held what will be spoken, which stands in documents.
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

/** Answers what is no route, without asking who calls. */
export const fallbackSettings: ApiSettings = { permissions: {} };

/** Answers with files of its own bundle, to everybody. */
export const referenceSettings: ApiSettings = { permissions: {} };
