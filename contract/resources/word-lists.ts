/** Blacklists, whitelists and dictionaries. One Lambda handles all of them. */
export * from './blacklists.ts';
export * from './dictionaries.ts';
export * from './whitelists.ts';
