/** Blacklists, whitelists and dictionaries. */
import * as contract from '../../contract/word-lists.ts';
import { requireInline } from '../domain/word-lists.ts';
import { configurationResource, type Peculiarities } from './crud.ts';

const bounded = (member: string): Peculiarities => ({
  check: (_, given) => requireInline(member, given[member] ?? null),
});

export const handler = configurationResource(contract, {
  blacklists: bounded('words'),
  whitelists: bounded('words'),
  dictionaries: bounded('dictionary'),
});
