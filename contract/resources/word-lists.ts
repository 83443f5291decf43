/** What steers the words of transcriptions: one Lambda for the three. */
export * from './blacklists.ts';
export * from './dictionaries.ts';
export * from './whitelists.ts';
