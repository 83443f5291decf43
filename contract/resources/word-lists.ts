/** Blacklists, whitelists and dictionaries, which one Lambda has. */
export * from './blacklists.ts';
export * from './dictionaries.ts';
export * from './whitelists.ts';
