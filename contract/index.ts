/**
 * Lists every resource of the API. Each resource has one Lambda with the same name. Routes, documents and tests use this list. Handlers
 * import the generated `build/contract/<resource>.js`: the operations' facts and validators without the schemas (`toolchain/generate.ts`).
 */
import type { Operation, OperationSpec } from './kit/operation.ts';
import * as adminStorages from './resources/admin-storages.ts';
import * as analyses from './resources/analyses.ts';
import * as assetLifecycle from './resources/asset-lifecycle.ts';
import * as assets from './resources/assets.ts';
import * as brandingMedia from './resources/branding-media.ts';
import * as brandings from './resources/brandings.ts';
import * as channels from './resources/channels.ts';
import * as clips from './resources/clips.ts';
import * as collections from './resources/collections.ts';
import * as events from './resources/events.ts';
import * as exports from './resources/exports.ts';
import * as externalStorages from './resources/external-storages.ts';
import * as jobs from './resources/jobs.ts';
import * as languages from './resources/languages.ts';
import * as publishing from './resources/publishing.ts';
import * as quotes from './resources/quotes.ts';
import * as search from './resources/search.ts';
import * as segments from './resources/segments.ts';
import * as speakers from './resources/speakers.ts';
import * as templates from './resources/templates.ts';
import * as tracks from './resources/tracks.ts';
import * as transcriptions from './resources/transcriptions.ts';
import * as translation from './resources/translation.ts';
import * as uploads from './resources/uploads.ts';
import * as usage from './resources/usage.ts';
import * as views from './resources/views.ts';
import * as voiceOver from './resources/voice-over.ts';
import * as webhooks from './resources/webhooks.ts';
import * as wordLists from './resources/word-lists.ts';

export const resources = {
  assets,
  assetLifecycle,
  uploads,
  transcriptions,
  languages,
  segments,
  speakers,
  templates,
  wordLists,
  brandings,
  brandingMedia,
  views,
  externalStorages,
  adminStorages,
  collections,
  analyses,
  tracks,
  clips,
  jobs,
  translation,
  voiceOver,
  exports,
  publishing,
  search,
  channels,
  usage,
  quotes,
  events,
  webhooks,
} as const;

export type ResourceName = keyof typeof resources;

/** Returns the operations that the module of a resource exports. Its other exports are schemas. */
export const operationsOf = (module: object): OperationSpec[] =>
  Object.entries(module)
    .filter(([, value]) => typeof value === 'object' && value !== null && 'method' in value)
    .map(([id, value]) => ({ id, ...(value as Operation) }));

export const resourceNames = Object.keys(resources) as ResourceName[];

export const operations = resourceNames.flatMap((resource) =>
  operationsOf(resources[resource]).map((spec) => ({ resource, spec })),
);
