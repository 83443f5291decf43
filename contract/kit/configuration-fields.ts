/** Members that several configuration resources have. */
import Type from 'typebox';
import type { ReferenceTarget } from './operation.ts';
import { Line, Uuid } from './schemas.ts';

export const Name = Line('Name');

/** A list of distinct ids; empty where none is given. */
export const Ids = (description: string) =>
  Type.Optional(
    Type.Array(Uuid(description), { maxItems: 100, uniqueItems: true, default: [], description }),
  );

export const OptionalId = (description: string) => Type.Optional(Uuid(description));

/** What members of configuration refer to. */
export const targets = {
  template: { type: 'templates', kind: 'template' },
  language: { type: 'languages', kind: 'language' },
  dictionary: { type: 'dictionaries', kind: 'dictionary' },
  blacklist: { type: 'blacklists', kind: 'blacklist' },
  whitelist: { type: 'whitelists', kind: 'whitelist' },
  overlay: { type: 'branding_overlays', kind: 'branding overlay' },
  clip: { type: 'branding_clips', kind: 'branding clip' },
  subtitleStyle: { type: 'branding_subtitle_styles', kind: 'branding subtitle style' },
} as const satisfies Record<string, ReferenceTarget>;

export const exampleIds = {
  template: '019a9d2f-1a01-7b11-8c01-0c7b6a5d4e01',
  language: '8993a0fb-016d-5a01-81d7-1cebafdf70d7',
  overlay: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02',
  clip: '019a9d2f-3c03-7b13-8c03-0c7b6a5d4e03',
  subtitleStyle: '019a9d2f-4d04-7b14-8c04-0c7b6a5d4e04',
  dictionary: '019a9d2f-5e05-7b15-8c05-0c7b6a5d4e05',
} as const;
