/** Members that several configuration resources have. */
import Type from 'typebox';
import type { ReferenceTarget } from './operation.ts';
import { Line, Uuid } from './schemas.ts';

export const Name = Line('Name');

/** A list of distinct ids; empty by default. */
export const Ids = (description: string, maxItems = 100) =>
  Type.Optional(Type.Array(Uuid(description), { maxItems, uniqueItems: true, default: [], description }));

export const OptionalId = (description: string) => Type.Optional(Uuid(description));

/** The maximum number of word lists of one kind in a template. One transaction must be able to change all of them. */
const LINKED_AT_MOST = 16;

/** The maximum number of templates of a word list. One transaction must be able to change all of them. */
const HOLDERS_AT_MOST = 64;

/** Ids of items that refer back to their templates. */
export const LinkedIds = (description: string) =>
  Ids(`${description}; an item can be in several templates`, LINKED_AT_MOST);

/** The templates of a word list. @param member of the template, that has the list */
export const ofTemplates = (member: string) => ({
  template_id: OptionalId(
    `Template that uses the item in its \`${member}\`; the first one if there are several. Another one, or null, replaces all of them`,
  ),
  template_ids: Ids(`All templates that use the item in their \`${member}\``, HOLDERS_AT_MOST),
});

/** Adds the member of the target that refers back: one that shows one id, or a list of ids. */
export const mirrored = (target: ReferenceTarget, member: string, side: 'one' | 'list'): ReferenceTarget => ({
  ...target,
  mirror: { member, isList: side === 'list', atMost: side === 'list' ? LINKED_AT_MOST : HOLDERS_AT_MOST },
});

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
