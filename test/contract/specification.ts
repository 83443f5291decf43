/**
 * The tables of the specification as data: all 135 operations with their fields, types and defaults, and whether each
 * field is required. They were transcribed by hand, so that they do not depend on the contract.
 */
export type FieldType =
  | 'uuid'
  | 'string'
  | 'int'
  | 'float'
  | 'bool'
  | 'enum'
  | 'object'
  | 'array'
  | 'hex'
  | 'datetime'
  | 'uuid list'
  | 'string list'
  | 'string lists by term';

export interface Field {
  readonly type: FieldType;
  readonly required: boolean;
  /** Absent if the specification states no default. `null` if it states that the default is empty. */
  readonly default?: string | number | boolean | null;
  readonly values?: readonly string[];
  /** Fields of an object, or of each item of an array. */
  readonly fields?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

export interface Row {
  readonly body?: Fields | 'not shown';
  readonly query?: Fields;
  readonly answers?: readonly string[];
}

type More = Omit<Field, 'type' | 'required'>;
const required = (type: FieldType, more: More = {}): Field => ({ type, required: true, ...more });
const optional = (type: FieldType, more: More = {}): Field => ({ type, required: false, ...more });

const asset: Fields = {
  filename: required('string'),
  name: optional('string'),
  template_id: optional('uuid'),
  collection_id: optional('uuid'),
  language_id: optional('uuid'),
  external_id: optional('string'),
  mc_model: optional('enum', { values: ['normal', 'turbo'], default: 'normal' }),
};

const segment: Fields = {
  text: required('string'),
  start_ms: required('int'),
  end_ms: required('int'),
  speaker: required('string'),
  original_segment_id: optional('uuid'),
};

const videoClip: Fields = {
  start_ms: optional('int'),
  end_ms: optional('int'),
  start_frame: optional('int'),
  end_frame: optional('int'),
  aspect_ratio_x: optional('int'),
  aspect_ratio_y: optional('int'),
  autoframing: optional('bool'),
  branding_id: optional('uuid'),
  subtitles_language_id: optional('uuid'),
  with_sound_descriptions: optional('bool'),
};

const externalStorage: Fields = {
  name: required('string'),
  type: required('enum', { values: ['aws_s3', 'azure', 'gcp_storage', 'dummy'] }),
  destination: optional('object', {
    fields: { bucket_name: optional('string'), region: optional('string'), blob_url: optional('string') },
  }),
  export_path: optional('string'),
  authentication_data: optional('object', {
    fields: {
      iam_role_arn: optional('string'),
      sas_token: optional('string'),
      credentials: optional('object'),
    },
  }),
};

const template: Fields = {
  name: required('string'),
  domain_dictionary_ids: optional('uuid list'),
  blacklist_ids: optional('uuid list'),
  whitelist_ids: optional('uuid list'),
  translation_language_ids: optional('uuid list'),
  voice_over_language_ids: optional('uuid list'),
  enabled_ocr: optional('bool', { default: false }),
  voice_over_config: optional('object', {
    fields: { clone_voice: optional('bool'), mute_original_voice: optional('bool') },
  }),
};

const brandingVariant: Fields = {
  aspect_ratio: required('enum', { values: ['9:16', '1:1', '4:5', '16:9', '4:3', '3:4'] }),
  overlay_id: optional('uuid'),
  intro_id: optional('uuid'),
  outro_id: optional('uuid'),
};

const subtitleStyle: Fields = {
  name: required('string', { default: null }),
  font_family: required('string', { default: null }),
  text_color: required('hex', { default: null }),
  font_size_px: optional('int', { default: 26 }),
  font_weight: optional('int', { default: 600 }),
  line_height: optional('float', { default: 1.2 }),
  vertical_position_pct: optional('float', { default: 0.1 }),
  shadow_blur: optional('float', { default: 0 }),
  shadow_color: optional('hex', { default: null }),
  shadow_opacity_pct: optional('float', { default: 1 }),
  shadow_offset_x_px: optional('int', { default: 1 }),
  shadow_offset_y_px: optional('int', { default: 1 }),
  background_color: optional('hex', { default: null }),
  background_opacity: optional('float', { default: 0 }),
  stroke_color: optional('hex', { default: '#000000' }),
  stroke_thickness_px: optional('int', { default: 0 }),
};

const blacklist: Fields = {
  name: required('string'),
  words: required('string list'),
  language_id: required('uuid'),
  template_id: optional('uuid'),
};
const whitelist: Fields = {
  name: required('string'),
  words: required('string list'),
  template_id: optional('uuid'),
};
const dictionary: Fields = {
  name: required('string'),
  dictionary: required('string lists by term'),
  template_id: optional('uuid'),
};

const collection: Fields = { name: required('string'), template_id: optional('uuid') };
const speaker: Fields = { name: required('string') };
const view: Fields = { name: required('string'), filter_params: required('array') };
const exported: Row = { body: { external_storage_id: required('uuid') } };
const startUpload: Row = { body: { parts: optional('int', { default: 1 }) }, answers: ['parts'] };
const finishUpload: Row = { body: { etags: required('string list') } };

/** Makes all fields optional, as in the body of a PATCH. */
const changes = (fields: Fields | 'not shown'): Fields | 'not shown' =>
  fields === 'not shown'
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, { default: _, ...field }]) => [
          name,
          { ...field, required: false },
        ]),
      );

/** The specification says: "Each row offers: POST create, GET list, GET one, PATCH update" and a deletion. */
const crud = (path: string, id: string, fields: Fields | 'not shown'): Record<string, Row> => ({
  [`POST ${path}`]: { body: fields },
  [`GET ${path}`]: {},
  [`GET ${path}/{${id}}`]: {},
  [`PATCH ${path}/{${id}}`]: { body: changes(fields) },
  [`DELETE ${path}/{${id}}`]: {},
});

const one = '/v1/assets/{asset_id}';
const transcription = `${one}/transcriptions/{transcription_id}`;

export const specification: Readonly<Record<string, Row>> = {
  // Assets and upload
  'POST /v1/assets': { body: asset, answers: ['asset_id'] },
  'GET /v1/assets': {
    query: {
      page: optional('int', { default: 1 }),
      items: optional('int', { default: 16 }),
      collection_id: optional('uuid'),
      entities: optional('string'),
      sentiment: optional('enum', { values: ['Negative', 'Neutral', 'Positive'] }),
      classification: optional('string'),
      speakers: optional('string'),
      language_id: optional('uuid'),
    },
  },
  [`GET ${one}`]: {},
  [`DELETE ${one}`]: {},
  'GET /v1/external/assets/{external_id}': {},
  [`POST ${one}/start_upload`]: startUpload,
  [`POST ${one}/finish_upload`]: finishUpload,

  // Jobs
  [`POST ${one}/translation_jobs`]: { body: { language_ids: required('uuid list') }, answers: ['job_id'] },
  [`GET ${one}/translation_jobs/{job_id}`]: { answers: ['status'] },
  [`POST ${one}/process_voice_over_jobs`]: {
    body: { language_ids: optional('string list') },
    answers: ['job_id'],
  },
  [`GET ${one}/process_voice_over_jobs`]: {},
  [`GET ${one}/process_voice_over_jobs/{job_id}`]: { answers: ['status'] },
  [`POST ${one}/partial_retranslation_jobs`]: { body: 'not shown', answers: ['job_id'] },
  [`GET ${one}/partial_retranslation_jobs/{job_id}`]: { answers: ['status'] },

  // Transcriptions, subtitles, segments
  [`GET ${one}/transcriptions`]: {},
  [`GET ${transcription}`]: {},
  [`GET ${transcription}/vtt`]: {
    query: {
      flavor: optional('enum', { values: ['standard', 'simplified'], default: 'standard' }),
      include_sound_descriptions: optional('bool', { default: true }),
    },
  },
  [`GET ${transcription}/srt`]: {},
  [`GET ${transcription}/stl`]: {},
  [`POST ${transcription}/vtt/export`]: exported,
  [`POST ${transcription}/srt/export`]: exported,
  [`POST ${transcription}/stl/export`]: exported,
  [`POST ${transcription}/json/export`]: exported,
  [`POST ${transcription}/segments`]: { body: { segments: required('array', { fields: segment }) } },
  [`PATCH ${transcription}/segments`]: { body: 'not shown' },
  [`PATCH ${transcription}/segments/{segment_id}`]: {
    body: {
      speaker_id: optional('uuid'),
      text: optional('string'),
      start_ms: optional('int'),
      end_ms: optional('int'),
    },
  },

  // Metadata, search, analysis
  [`GET ${one}/metadata`]: {},
  [`GET ${one}/metadata/{metadata_id}`]: {},
  [`POST ${one}/metadata/{metadata_id}/json/export`]: exported,
  'POST /v1/nl_search': {
    body: {
      query: required('string'),
      asset_id: optional('uuid'),
      max_results: optional('int', { default: 10 }),
    },
  },
  [`GET ${one}/audio_tracks`]: {},
  [`GET ${one}/audio_tracks/{audio_track_id}`]: {},
  [`GET ${one}/audio_tracks/{audio_track_id}/download_url`]: {},
  [`GET ${one}/sound_descriptions`]: {},
  [`GET ${one}/sound_descriptions/{description_id}`]: {},
  [`DELETE ${one}/sound_descriptions/{description_id}`]: {},
  [`GET ${one}/camera_shoots`]: {},
  [`GET ${one}/faces`]: {},
  [`GET ${one}/autocenter`]: {},
  [`GET ${one}/centers_of_interest`]: {},
  [`POST ${one}/centers_of_interest`]: { body: 'not shown' },
  [`DELETE ${one}/centers_of_interest/{coi_id}`]: {},

  // Speakers and collections
  [`POST ${one}/speakers`]: { body: speaker },
  [`PATCH ${one}/speakers/{speaker_id}`]: { body: changes(speaker) },
  [`DELETE ${one}/speakers/{speaker_id}`]: {},
  ...crud('/v1/collections', 'collection_id', collection),
  'POST /v1/collections/{collection_id}/assets': { body: { asset_ids: required('uuid list') } },
  'DELETE /v1/collections/{collection_id}/assets': { body: { asset_ids: required('uuid list') } },

  // Video clips
  [`POST ${one}/video_clips`]: { body: { video_clips: required('array', { fields: videoClip }) } },
  [`GET ${one}/video_clips`]: {},
  [`GET ${one}/video_clips/{video_id}`]: {},
  [`POST ${one}/video_clips/download`]: { body: 'not shown' },
  [`POST ${one}/video_clips/download_async`]: { body: 'not shown', answers: ['job_id'] },
  [`GET ${one}/video_clips/download_async/{job_id}`]: { answers: ['status'] },
  [`POST ${one}/video_clips/{video_clip_id}/export`]: exported,
  [`POST ${one}/video_clips/{video_clip_id}/async_export`]: { ...exported, answers: ['job_id'] },
  [`GET ${one}/video_clips/{video_clip_id}/async_export/{job_id}`]: { answers: ['status'] },

  // Channels and publishing
  'POST /v1/channels': { body: 'not shown' },
  'GET /v1/channels': {},
  'GET /v1/channels/{channel_id}': { answers: ['playback_url'] },
  'DELETE /v1/channels/{channel_id}': {},
  'POST /v1/channels/{channel_id}/assets': { body: { external_id: optional('string') } },
  'POST /v1/clips/{clip_id}/publish': {
    body: {
      platform: required('enum', {
        values: ['youtube', 'instagram', 'tiktok', 'linkedin', 'x', 'facebook'],
      }),
      caption: optional('string'),
      schedule_at: optional('datetime'),
    },
  },
  'GET /v1/publish/{job_id}': { answers: ['status'] },

  // Configuration resources
  ...crud('/v1/external_storages', 'external_storage_id', externalStorage),
  ...crud('/v1/templates', 'template_id', template),
  ...crud('/v1/brandings', 'branding_id', 'not shown'),
  ...crud('/v1/brandings/{branding_id}/variants', 'variant_id', brandingVariant),
  ...crud('/v1/branding_overlays', 'overlay_id', 'not shown'),
  ...crud('/v1/branding_clips', 'clip_id', 'not shown'),
  ...crud('/v1/branding_subtitle_styles', 'style_id', subtitleStyle),
  ...crud('/v1/blacklists', 'blacklist_id', blacklist),
  ...crud('/v1/whitelists', 'whitelist_id', whitelist),
  ...crud('/v1/dictionaries', 'dictionary_id', dictionary),
  ...crud('/v1/views', 'view_id', view),

  // Additional operations
  'POST /v1/branding_overlays/{overlay_id}/start_upload': { body: 'not shown' },
  'POST /v1/branding_overlays/{overlay_id}/finish_upload': { body: 'not shown' },
  'GET /v1/branding_overlays/{overlay_id}/upload_jobs/{job_id}': { answers: ['status'] },
  'POST /v1/branding_clips/{clip_id}/start_upload': { body: 'not shown' },
  'POST /v1/branding_clips/{clip_id}/finish_upload': { body: 'not shown' },
  'GET /v1/branding_clips/{clip_id}/upload_jobs/{job_id}': { answers: ['status'] },
  'GET /v1/admin/external_storages': {},
  'GET /v1/admin/external_storages/{external_storage_id}': {},
  'GET /v1/languages': {},
  'GET /v1/languages/{language_id}': {},
  'GET /v1/usages/current_month': {},
  'GET /v1/usages/historical': {},
};
