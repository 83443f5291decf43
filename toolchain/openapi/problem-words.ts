/** What problems call the things of an operation. */
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { exampleId } from './example-ids.ts';

interface Thing {
  readonly kind: string;
  readonly id: string;
}

/** What an id names, by the member or parameter that holds it or a list of such ids. */
const kinds: Readonly<Record<string, string>> = {
  asset_id: 'asset',
  asset_ids: 'asset',
  audio_track_id: 'audio track',
  blacklist_ids: 'blacklist',
  branding_id: 'branding',
  channel_id: 'channel',
  clip_id: 'clip',
  coi_id: 'center of interest',
  face_id: 'face',
  collection_id: 'collection',
  description_id: 'sound description',
  domain_dictionary_ids: 'dictionary',
  event_id: 'event',
  event_ids: 'event',
  external_id: 'asset with the external_id',
  external_storage_id: 'external storage',
  intro_id: 'branding clip',
  job_id: 'job',
  language_id: 'language',
  language_ids: 'language',
  metadata_id: 'metadata',
  original_segment_id: 'segment',
  overlay_id: 'branding overlay',
  segment_id: 'segment',
  segment_ids: 'segment',
  speaker_id: 'speaker',
  subtitle_style_id: 'branding subtitle style',
  subtitles_language_id: 'language',
  template_id: 'template',
  transcription_id: 'transcription',
  video_clip_id: 'video clip',
  video_id: 'video clip',
  video_ids: 'video clip',
  view_id: 'view',
  webhook_id: 'webhook',
};

const lastParameter = (path: string): string | undefined => [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];

function named(name: string, kind = kinds[name]): Thing {
  if (kind === undefined) throw new Error(`Say in toolchain/openapi/problem-words.ts what ${name} is of.`);
  return { kind, id: exampleId(name) };
}

/** What is missing where an operation does not find it. */
export function notFoundOf({ path, query, configuration }: OperationSpec): Thing {
  const name = lastParameter(path);
  if (name === undefined) {
    const properties = (query as { properties?: object } | undefined)?.properties ?? {};
    return named('view_id' in properties ? 'view_id' : 'asset_id');
  }
  if (path.startsWith('/v1/publish/')) return named(name, 'publish job');
  if (path.startsWith('/v1/branding_clips/') && name === 'clip_id') return named(name, 'branding clip');
  const isOfParent = configuration !== undefined && name !== configuration.id;
  return named(name, isOfParent ? configuration.parent?.kind : (configuration?.kind ?? kinds[name]));
}

/** What others changed at the same time. */
export function kindOf(spec: OperationSpec): Thing {
  if (spec.id === 'updateSpeaker') return named('speaker_id');
  if (spec.path.includes('/transcriptions/')) return named('transcription_id');
  if (spec.path.startsWith('/v1/assets/')) return named('asset_id');
  const { configuration } = spec;
  const isCreation = configuration !== undefined && lastParameter(spec.path) === undefined;
  return isCreation ? named(configuration.id, configuration.kind) : notFoundOf(spec);
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The first id in the body, as one that leads nowhere. */
export function referenceOf(spec: OperationSpec): { pointer: string; kind: string; id: string } {
  const found = spec.id.endsWith('View')
    ? { pointer: '/filter_params/0/value', ...named('collection_id') }
    : firstReference(spec.body as Schema | undefined, '');
  if (found !== null) return found;
  throw new Error(`${spec.id} declares unknown_reference, and its body refers to nothing.`);
}

function firstReference(schema: Schema | undefined, pointer: string): (Thing & { pointer: string }) | null {
  for (const [name, member] of Object.entries(schema?.properties ?? {})) {
    const at = `${pointer}/${name}`;
    const { items } = member;
    if (name in kinds) return { pointer: items === undefined ? at : `${at}/0`, ...named(name) };
    const inside = firstReference(items ?? member, items === undefined ? at : `${at}/0`);
    if (inside !== null) return inside;
  }
  return null;
}

function notRendered(by: string): string {
  const id = exampleId('video_clip_id');
  return `The clip ${id} is failed, not ready; rendering it failed (timed_out): mend that, and use ${by}.`;
}

/** The state in which an operation refuses, by its id; the others refuse assets that are not ready. */
const reasons: Readonly<Record<string, string>> = {
  startUpload: 'The asset is processing; uploads are no longer accepted.',
  finishUpload: 'The asset is created: call start_upload and send the parts first.',
  startBrandingOverlayUpload: 'The file that was sent is being checked.',
  startBrandingClipUpload: 'The file that was sent is being checked.',
  finishBrandingOverlayUpload: 'Call start_upload and send the parts first.',
  finishBrandingClipUpload: 'Call start_upload and send the parts first.',
  cancelJob: 'The job is succeeded: there is nothing to cancel.',
  downloadVideoClips: notRendered('download_async'),
  exportVideoClip: notRendered('async_export'),
  deleteVideoClip: `The clip is being rendered: cancel the job ${exampleId('job_id')} first.`,
  publishClip: 'The clip failed to render.',
  getAudioTrackFit: 'The track is the original sound, no voice over.',
  getAudioTrackVideoDownloadUrl: 'No video was made with the track: create a voice over job with mux.',
  testWebhook: 'The webhook is disabled: enable it first.',
  redeliverEvents: 'The webhook is disabled: enable it first.',
};

/** What names a thing of configuration and so keeps it from being deleted, by the path of the things. */
const users: Readonly<Record<string, string>> = {
  '/v1/blacklists': `/v1/templates/${exampleId('template_id')}`,
  '/v1/whitelists': `/v1/templates/${exampleId('template_id')}`,
  '/v1/dictionaries': `/v1/templates/${exampleId('template_id')}`,
  '/v1/templates': `/v1/collections/${exampleId('collection_id')}`,
  '/v1/collections': `/v1/views/${exampleId('view_id')}`,
  '/v1/branding_subtitle_styles': `/v1/brandings/${exampleId('branding_id')}`,
  '/v1/branding_clips': `/v1/brandings/${exampleId('branding_id')}/variants/${exampleId('variant_id')}`,
  '/v1/branding_overlays': `/v1/brandings/${exampleId('branding_id')}/variants/${exampleId('variant_id')}`,
};

export function states(spec: OperationSpec): string {
  const { id, method, path } = spec;
  const reason = reasons[id];
  if (reason !== undefined) return reason;
  if (method === 'DELETE') {
    const user = users[path.slice(0, path.lastIndexOf('/'))];
    if (user !== undefined) return `The ${kindOf(spec).kind} is in use by ${user}. Take it out there first.`;
  }
  if (/^(create|update)Speaker$/.test(id))
    return `The asset has a speaker "Ana Ruiz" already: ${exampleId('speaker_id')}.`;
  if (/^(create|update)BrandingVariant$/.test(id))
    return `The branding has a branding variant for 9:16 already: ${exampleId('variant_id')}.`;
  if (id.startsWith('export'))
    return 'The external storage has no authentication_data: nothing can be exported to it.';
  if (/^(create|update)(Blacklist|Whitelist|Dictionary)$/.test(id))
    return `/v1/templates/${exampleId('template_id')} has 16 of them already, which is all that it takes.`;
  if (/^(create|update)Template$/.test(id)) {
    const list = `/v1/blacklists/${exampleId('blacklist_ids')}`;
    return `${list} has the template_id ${exampleId('template_id')} already: take it out there first.`;
  }
  return 'The asset is processing, not ready.';
}
