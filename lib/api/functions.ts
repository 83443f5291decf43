/** The permissions of each API function. `tsc` fails for a resource of the contract without a line here. */
import { operations, type ResourceName } from '../../contract/index.ts';
import { type JobKindFacts, type JobType, jobKinds, jobMachines } from '../../contract/kit/job-kinds.ts';
import type { Permissions } from '../../platform/steps/permissions.ts';

export interface ApiSettings extends Permissions {
  /** Names of the definitions of other state machines that the function starts, in addition to those of its jobs. */
  readonly starts?: readonly string[];
}

/** Permissions on tables for every request: Auth for the API key, Ephemeral for the idempotency key of a POST. */
const request = { Auth: ['get'], Ephemeral: ['put', 'update'] } as const;

/** Permissions on tables for a request that starts a job, or tells whether it could. It also reads the reservations of the tenant's jobs. */
const jobRequest = { Auth: ['get'], Ephemeral: ['get', 'put', 'update'] } as const;

/** Actions on Core to manage configuration. With `check`, a transaction checks that referenced configuration exists. */
const configured = ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] as const;

/** Actions on Core to start a job: write the job and its queue entry, and read its asset and its configuration. */
const starting = ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] as const;

const configuration: ApiSettings = { tables: { ...request, Core: configured } };

/** Configuration with an encrypted part. The API functions only encrypt this part. */
const secretive: ApiSettings = {
  ...configuration,
  engines: { secrets: ['generate'] },
};

/** Edits of transcriptions read and write documents. If an edit fails at the optimistic lock, it deletes the document that it wrote. */
const editing: ApiSettings = {
  tables: { ...request, Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
  media: ['Read', 'Write', 'Delete'],
};

export const apiSettings: Readonly<Record<ResourceName, ApiSettings>> = {
  assets: { tables: { ...request, Core: ['batchGet', 'get', 'query'] } },
  assetLifecycle: {
    ...configuration,
    admin: true,
    starts: ['DeleteAsset', 'DeliverEvent'],
  },
  uploads: {
    tables: { ...jobRequest, Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Upload'],
  },
  transcriptions: { tables: { ...request, Core: ['get', 'query'] }, media: ['Read'] },
  languages: { tables: request },
  segments: editing,
  speakers: editing,
  templates: configuration,
  wordLists: configuration,
  brandings: configuration,
  views: configuration,
  // The engines for exports declare the account that the role of an external storage must trust.
  externalStorages: {
    ...configuration,
    admin: true,
    engines: { secrets: ['generate'], exporting: [] },
  },
  brandingMedia: {
    tables: { ...jobRequest, Core: configured },
    admin: true,
    media: ['Read', 'Upload', 'Delete'],
  },
  collections: { ...configuration, admin: true, starts: ['EmptyCollection'] },
  adminStorages: { tables: { ...request, Core: ['get', 'query'] }, admin: true },
  analyses: {
    tables: { ...request, Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read'],
  },
  tracks: { tables: { ...request, Core: ['get', 'query'] }, media: ['Read'] },
  clips: {
    tables: { ...jobRequest, Core: starting },
    admin: true,
    media: ['Read', 'Delete'],
  },
  jobs: {
    tables: { ...request, Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    starts: [...jobMachines, 'DeliverEvent'],
  },
  translation: {
    tables: { ...jobRequest, Core: starting },
    admin: true,
    media: ['Read'],
  },
  // The job reserves the characters that it will speak, so the function counts them in the documents.
  voiceOver: {
    tables: { ...jobRequest, Core: starting },
    admin: true,
    media: ['Read'],
  },
  exports: {
    tables: { ...jobRequest, Core: starting },
    admin: true,
    media: ['Read'],
  },
  publishing: { tables: { ...request, Core: ['get'] } },
  search: { tables: { ...request, Core: ['get'] } },
  channels: secretive,
  quotes: { tables: { ...jobRequest, Core: ['batchGet', 'get', 'query'] }, media: ['Read'] },
  usage: { tables: { ...jobRequest, Core: ['batchGet', 'get', 'query'] } },
  events: { tables: { ...request, Core: ['get', 'query'] } },
  webhooks: {
    ...configuration,
    admin: true,
    engines: { secrets: ['generate', 'unwrap'] },
    starts: ['DeliverEvent'],
  },
};

/** Returns all state machines that the handlers of a resource start. A request that starts a job also publishes the events of the job. */
export function machinesOf(resource: ResourceName): readonly string[] {
  const jobs = operations
    .filter((operation) => operation.resource === resource)
    .flatMap(({ spec }) => machineOf(spec.responses[202]?.body));
  return [
    ...new Set([
      ...jobs,
      ...(jobs.length > 0 ? ['DeliverEvent'] : []),
      ...(apiSettings[resource].starts ?? []),
    ]),
  ];
}

/** Returns the machine of the job in an answer. Empty if the answer is not a job, or if jobs of this kind are not implemented yet. */
function machineOf(body: object | undefined): readonly string[] {
  const { properties: { type: { enum: [type = ''] = [] } = {} } = {} } = (body ?? {}) as {
    properties?: { type?: { enum?: readonly string[] } };
  };
  const kind: JobKindFacts | undefined = jobKinds[type as JobType];
  return kind?.machine === undefined ? [] : [kind.machine];
}

/** The fallback answers requests that match no route. It needs no API key. */
export const fallbackSettings: ApiSettings = {};

/** The API reference serves files of its own bundle. It needs no API key. */
export const referenceSettings: ApiSettings = {};
