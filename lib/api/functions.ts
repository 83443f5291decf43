/** What each API function may do. A resource of the contract without a line here fails `tsc`. */

import type { ResourceName } from '../../contract/index.ts';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { Permissions } from '../../platform/kernel/permissions.ts';

export interface ApiSettings {
  readonly permissions: Permissions;
  /** State machines that its handlers start, by name of the definition. */
  readonly starts?: readonly string[];
}

/** Every request is authenticated; every POST may carry an idempotency key. */
const request = { Auth: 'read', Ephemeral: 'write' } as const;

const configuration: ApiSettings = { permissions: { tables: { ...request, Core: 'write' } } };

/** Configuration with a part that is encrypted, and read again by none of these functions. */
const secretive: ApiSettings = {
  permissions: { ...configuration.permissions, engines: { secrets: ['generate'] } },
};

/** Edits of transcriptions: documents are read, written and, where another edit was faster, removed again. */
const editing: ApiSettings = {
  permissions: { tables: { ...request, Core: 'write' }, media: ['Read', 'Write', 'Delete'] },
};

export const apiSettings: Readonly<Record<ResourceName, ApiSettings>> = {
  assets: { permissions: { tables: { ...request, Core: 'read' } } },
  assetLifecycle: { ...configuration, starts: ['DeleteAsset', 'DeliverEvent'] },
  uploads: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Upload'] },
    starts: ['Ingest', 'DeliverEvent'],
  },
  transcriptions: { permissions: { tables: { ...request, Core: 'read' }, media: ['Read'] } },
  languages: { permissions: { tables: request } },
  segments: editing,
  speakers: editing,
  templates: configuration,
  wordLists: configuration,
  brandings: configuration,
  views: configuration,
  // Which account a role has to trust is a setting of what writes in it.
  externalStorages: {
    permissions: { ...configuration.permissions, engines: { secrets: ['generate'], exporting: [] } },
  },
  brandingMedia: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Read', 'Upload', 'Delete'] },
    starts: ['BrandingUpload', 'DeliverEvent'],
  },
  collections: { ...configuration, starts: ['EmptyCollection'] },
  adminStorages: { permissions: { tables: { ...request, Core: 'read' } } },
  analyses: { permissions: { tables: { ...request, Core: 'write' }, media: ['Read'] } },
  tracks: { permissions: { tables: { ...request, Core: 'read' }, media: ['Read'] } },
  clips: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Read', 'Delete'] },
    starts: ['Clips', 'DeliverEvent'],
  },
  jobs: { ...configuration, starts: [...jobMachines, 'DeliverEvent'] },
  translation: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Read'] },
    starts: ['Translation', 'DeliverEvent'],
  },
  // Of a quota of characters is held what will be spoken, which stands in documents.
  voiceOver: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Read'] },
    starts: ['VoiceOver', 'DeliverEvent'],
  },
  exports: {
    permissions: { tables: { ...request, Core: 'write' }, media: ['Read'] },
    starts: ['Export', 'DeliverEvent'],
  },
  publishing: { permissions: { tables: { ...request, Core: 'read' } } },
  search: { permissions: { tables: { ...request, Core: 'read' } } },
  channels: secretive,
  quotes: { permissions: { tables: { ...request, Core: 'read' }, media: ['Read'] } },
  usage: { permissions: { tables: { ...request, Core: 'read' } } },
  events: { permissions: { tables: { ...request, Core: 'read' } } },
  webhooks: {
    permissions: { ...configuration.permissions, engines: { secrets: ['generate', 'unwrap'] } },
    starts: ['DeliverEvent'],
  },
};

/** Answers what is no route, without asking who calls. */
export const fallbackSettings: ApiSettings = { permissions: {} };

/** Answers with files of its own bundle, to everybody. */
export const referenceSettings: ApiSettings = { permissions: {} };
