/** Every resource of the API: one name a Lambda. Routes, documents and tests derive from this list. */

import * as adminStorages from './admin-storages.ts';
import * as analyses from './analyses.ts';
import * as assetLifecycle from './asset-lifecycle.ts';
import * as assets from './assets.ts';
import * as brandingMedia from './branding-media.ts';
import * as brandings from './brandings.ts';
import * as channels from './channels.ts';
import * as clips from './clips.ts';
import * as collections from './collections.ts';
import * as events from './events.ts';
import * as exports from './exports.ts';
import * as externalStorages from './external-storages.ts';
import * as jobs from './jobs.ts';
import * as languages from './languages.ts';
import type { OperationSpec } from './operation.ts';
import * as publishing from './publishing.ts';
import * as search from './search.ts';
import * as segments from './segments.ts';
import * as speakers from './speakers.ts';
import * as templates from './templates.ts';
import * as tracks from './tracks.ts';
import * as transcriptions from './transcriptions.ts';
import * as uploads from './uploads.ts';
import * as usage from './usage.ts';
import * as views from './views.ts';
import * as webhooks from './webhooks.ts';
import * as wordLists from './word-lists.ts';

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
  exports,
  publishing,
  search,
  channels,
  usage,
  events,
  webhooks,
} as const;

export type ResourceName = keyof typeof resources;

/** The operations of a resource's module; it also exports schemas. */
export function operationsOf(module: object): OperationSpec[] {
  return Object.values(module).filter(
    (value): value is OperationSpec => typeof value === 'object' && value !== null && 'method' in value,
  );
}

export const resourceNames = Object.keys(resources) as ResourceName[];

export const operations = resourceNames.flatMap((resource) =>
  operationsOf(resources[resource]).map((spec) => ({ resource, spec })),
);
