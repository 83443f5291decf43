/** Tags of the document, one for each resource. */

const descriptions: Readonly<Record<string, string>> = {
  assets: 'Media of a tenant: create, list, delete.',
  uploads: 'Multipart upload in four steps, and the job that follows.',
  transcriptions: 'Transcriptions, segments and subtitles.',
  languages: 'Languages and what the engines do with each.',
  segments: 'Segments of a transcription: add and edit, one or many.',
  speakers: 'People whose names subtitles show.',
  templates: 'The default processing of assets.',
  'word lists': 'Blacklists, whitelists and dictionaries.',
  brandings: 'Brandings, their variants, and styles of subtitles.',
  collections: 'Groups of assets.',
  'branding media': 'Overlays and branding clips, with the upload of their files.',
  views: 'Filters of the asset list under a name.',
  'external storages': 'Where results are exported to.',
  'admin storages': 'External storages of all tenants, for operators.',
  analyses: 'Results of analyses of an asset, and the facts that people add.',
  tracks: 'Audio tracks of voice overs, their fit reports, and the videos with them.',
  clips: 'Parts of an asset: reframed, branded, subtitled, downloaded.',
  jobs: 'Work that goes on after its request was answered: find, list and cancel jobs of every kind.',
  translation: 'Translation of what is said, whole or in part.',
  'voice over': 'Translations, spoken.',
  exports: 'Subtitles, metadata and clips to external storages.',
  publishing: 'Clips on platforms, now or later.',
  search: 'Places in assets, by what is said, seen or heard.',
  channels: 'Live sources that assets are made of.',
  usage: 'Usage of the tenant by month.',
  quotes: 'The cost of a job before it is started.',
  events: 'The log of the events of assets and jobs, which can be replayed.',
  webhooks: 'URLs that receive signed events when they happen.',
};

/** Resources that are separate Lambdas for internal reasons. The document groups them with other resources. */
const partOf: Readonly<Record<string, string>> = { assetLifecycle: 'assets' };

export const tagOf = (resource: string): string => inWords(partOf[resource] ?? resource);

export function descriptionOfTag(tag: string): string {
  const description = descriptions[tag];
  if (description !== undefined) return description;
  throw new Error(`The tag ${tag} has no description. Add one in toolchain/openapi/tags.ts.`);
}

/** Converts names: `brandingMedia` → `branding media`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
