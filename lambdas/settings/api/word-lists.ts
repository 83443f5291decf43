/** Blacklists, whitelists and dictionaries. */
import * as contract from '../../../contract/resources/word-lists.ts';
import { configurationResource, type Peculiarities } from '../../../platform/kernel/crud.ts';
import { requireInline } from '../rules/word-lists.ts';

const bounded = (member: string): Peculiarities => ({
  check: (_, given) => requireInline(member, given[member] ?? null),
});

export const handler = configurationResource(contract, {
  blacklists: bounded('words'),
  whitelists: bounded('words'),
  dictionaries: bounded('dictionary'),
});
