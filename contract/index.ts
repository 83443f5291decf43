/** Every resource of the API: one name a Lambda. Routes, documents and tests derive from this list. */

import * as assets from './assets.ts';
import * as languages from './languages.ts';
import type { OperationSpec } from './operation.ts';
import * as segments from './segments.ts';
import * as speakers from './speakers.ts';
import * as transcriptions from './transcriptions.ts';
import * as uploads from './uploads.ts';

export const resources = { assets, uploads, transcriptions, languages, segments, speakers } as const;

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
