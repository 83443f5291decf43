// biome-ignore-all format: generated
// biome-ignore-all lint: generated
/** Made by `npm run client` from the contract: a method for each operation, and the types that they take and give. */
import type { Answer, List } from './answers.ts';
import { type CallOptions, type ClientOptions, Http, pathText } from './http.ts';

/**
 * Every operation of the API, under its name there.
 * @example
 * const kinora = new Kinora({ url: 'http://127.0.0.1:8787', apiKey: process.env.KINORA_API_KEY });
 * for await (const asset of kinora.listAssets()) console.log(asset.name, asset.status);
 */
export class Kinora {
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

  /**
   * Add assets to a collection. POST /v1/collections/{collection_id}/assets
   * @example
   * await kinora.addCollectionAssets({ collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { asset_ids: ['019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11'] } });
   */
  addCollectionAssets(input: {
    /** Collection */
    readonly collection_id: string;
    readonly body: CollectionAssetsInput;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'POST', path: `/v1/collections/${encodeURIComponent(input.collection_id)}/assets`, body: input.body, options });
  }

  /**
   * Cancel a job. POST /v1/jobs/{job_id}/cancel
   * @example
   * await kinora.cancelJob({ job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  cancelJob(input: {
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<Job> {
    return this.#http.json({ method: 'POST', path: `/v1/jobs/${encodeURIComponent(input.job_id)}/cancel`, options });
  }

  /**
   * Create an asset. POST /v1/assets
   * @example
   * await kinora.createAsset({ body: { filename: 'keynote.mp4', name: 'Opening keynote', external_id: 'cms-4711' } });
   */
  createAsset(input: {
    readonly body: AssetInput;
  }, options?: CallOptions): Answer<Asset> {
    return this.#http.json({ method: 'POST', path: `/v1/assets`, body: input.body, options });
  }

  /**
   * Create a blacklist. POST /v1/blacklists
   * @example
   * await kinora.createBlacklist({ body: { name: 'Mild swearing', words: ['darn', 'heck'], language_id: '8993a0fb-016d-5a01-81d7-1cebafdf70d7' } });
   */
  createBlacklist(input: {
    readonly body: BlacklistInput;
  }, options?: CallOptions): Answer<Blacklist> {
    return this.#http.json({ method: 'POST', path: `/v1/blacklists`, body: input.body, options });
  }

  /**
   * Create a branding. POST /v1/brandings
   * @example
   * await kinora.createBranding({ body: { name: 'Evening news', subtitle_style_id: '019a9d2f-4d04-7b14-8c04-0c7b6a5d4e04' } });
   */
  createBranding(input: {
    readonly body: BrandingInput;
  }, options?: CallOptions): Answer<Branding> {
    return this.#http.json({ method: 'POST', path: `/v1/brandings`, body: input.body, options });
  }

  /**
   * Create a branding clip. POST /v1/branding_clips
   * @example
   * await kinora.createBrandingClip({ body: { name: 'Opening', filename: 'opening.mp4' } });
   */
  createBrandingClip(input: {
    readonly body: BrandingClipInput;
  }, options?: CallOptions): Answer<BrandingClip> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_clips`, body: input.body, options });
  }

  /**
   * Create a branding overlay. POST /v1/branding_overlays
   * @example
   * await kinora.createBrandingOverlay({ body: { name: 'Logo', filename: 'logo.png' } });
   */
  createBrandingOverlay(input: {
    readonly body: BrandingOverlayInput;
  }, options?: CallOptions): Answer<BrandingOverlay> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_overlays`, body: input.body, options });
  }

  /**
   * Create a branding subtitle style. POST /v1/branding_subtitle_styles
   * @example
   * await kinora.createBrandingSubtitleStyle({ body: { name: 'Bold white', font_family: 'Inter', text_color: '#FFFFFF', font_size_px: 32 } });
   */
  createBrandingSubtitleStyle(input: {
    readonly body: BrandingSubtitleStyleInput;
  }, options?: CallOptions): Answer<BrandingSubtitleStyle> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_subtitle_styles`, body: input.body, options });
  }

  /**
   * Create a branding variant. POST /v1/brandings/{branding_id}/variants
   * @example
   * await kinora.createBrandingVariant({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { aspect_ratio: '9:16', overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02', intro_id: '019a9d2f-3c03-7b13-8c03-0c7b6a5d4e03' } });
   */
  createBrandingVariant(input: {
    /** Branding */
    readonly branding_id: string;
    readonly body: BrandingVariantInput;
  }, options?: CallOptions): Answer<BrandingVariant> {
    return this.#http.json({ method: 'POST', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}/variants`, body: input.body, options });
  }

  /**
   * Say where the picture is of interest. POST /v1/assets/{asset_id}/centers_of_interest
   * @example
   * await kinora.createCenterOfInterest({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { start_ms: 12000, end_ms: 18500, x: 0.62, y: 0.4, label: 'Presenter' } });
   */
  createCenterOfInterest(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: CenterOfInterestInput;
  }, options?: CallOptions): Answer<CenterOfInterest> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/centers_of_interest`, body: input.body, options });
  }

  /**
   * Create a channel. POST /v1/channels
   * @example
   * await kinora.createChannel({ body: { name: 'Studio 1', source: { protocol: 'srt', mode: 'pull', url: 'srt://studio.example:9000', passphrase: 'correct horse' } } });
   */
  createChannel(input: {
    readonly body: ChannelInput;
  }, options?: CallOptions): Answer<Channel> {
    return this.#http.json({ method: 'POST', path: `/v1/channels`, body: input.body, options });
  }

  /**
   * Make an asset of what arrives from a channel. POST /v1/channels/{channel_id}/assets
   * @experimental Planned: Live ingest is not there yet. After all its checks a sound request is answered 501 `not_implemented`.
   * @example
   * await kinora.createChannelAsset({ channel_id: '019a9d32-3c4d-7e5f-8a61-7c8d9e0f1a23', body: { external_id: 'show-2026-11-21' } });
   */
  createChannelAsset(input: {
    /** Channel */
    readonly channel_id: string;
    readonly body?: ChannelAssetInput;
  }, options?: CallOptions): Answer<Asset> {
    return this.#http.json({ method: 'POST', path: `/v1/channels/${encodeURIComponent(input.channel_id)}/assets`, body: input.body, options });
  }

  /**
   * Create a collection. POST /v1/collections
   * @example
   * await kinora.createCollection({ body: { name: 'Interviews', template_id: '019a9d2f-1a01-7b11-8c01-0c7b6a5d4e01' } });
   */
  createCollection(input: {
    readonly body: CollectionInput;
  }, options?: CallOptions): Answer<Collection> {
    return this.#http.json({ method: 'POST', path: `/v1/collections`, body: input.body, options });
  }

  /**
   * Create a dictionary. POST /v1/dictionaries
   * @example
   * await kinora.createDictionary({ body: { name: 'Newsroom', dictionary: { VO: ['voice over'], 'B-roll': ['supplementary footage'] } } });
   */
  createDictionary(input: {
    readonly body: DictionaryInput;
  }, options?: CallOptions): Answer<Dictionary> {
    return this.#http.json({ method: 'POST', path: `/v1/dictionaries`, body: input.body, options });
  }

  /**
   * Create an external storage. POST /v1/external_storages
   * @example
   * await kinora.createExternalStorage({ body: { name: 'Archive', type: 'aws_s3', destination: { bucket_name: 'example-archive', region: 'eu-central-1' }, export_path: 'kinora/{asset_id}/{video_clip_id}', authentication_data: { iam_role_arn: 'arn:aws:iam::123456789012:role/kinora-export' } } });
   */
  createExternalStorage(input: {
    readonly body: ExternalStorageInput;
  }, options?: CallOptions): Answer<ExternalStorage> {
    return this.#http.json({ method: 'POST', path: `/v1/external_storages`, body: input.body, options });
  }

  /**
   * Translate some segments again. POST /v1/assets/{asset_id}/partial_retranslation_jobs
   * @example
   * await kinora.createPartialRetranslationJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { language_ids: ['1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90'], segment_ids: ['019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44'] } });
   */
  createPartialRetranslationJob(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: PartialRetranslationJobInput;
  }, options?: CallOptions): Answer<PartialRetranslationJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/partial_retranslation_jobs`, body: input.body, options });
  }

  /**
   * Add segments, all or none. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments
   * @example
   * await kinora.createSegments({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { segments: [{ text: 'Welcome to Kinora.', start_ms: 1000, end_ms: 3200, speaker: 'Ana' }] } });
   */
  createSegments(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: CreateSegmentsInput;
  }, options?: CallOptions): Answer<SegmentsVersion> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments`, body: input.body, options });
  }

  /**
   * Create a speaker. POST /v1/assets/{asset_id}/speakers
   * @example
   * await kinora.createSpeaker({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { name: 'Ana Ruiz' } });
   */
  createSpeaker(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: SpeakerInput;
  }, options?: CallOptions): Answer<Speaker> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/speakers`, body: input.body, options });
  }

  /**
   * Create a template. POST /v1/templates
   * @example
   * await kinora.createTemplate({ body: { name: 'News in English', domain_dictionary_ids: ['019a9d2f-5e05-7b15-8c05-0c7b6a5d4e05'], translation_language_ids: ['8993a0fb-016d-5a01-81d7-1cebafdf70d7'], enabled_ocr: true, voice_over_config: { clone_voice: false, mute_original_voice: true } } });
   */
  createTemplate(input: {
    readonly body: TemplateInput;
  }, options?: CallOptions): Answer<Template> {
    return this.#http.json({ method: 'POST', path: `/v1/templates`, body: input.body, options });
  }

  /**
   * Translate the transcription of an asset. POST /v1/assets/{asset_id}/translation_jobs
   * @example
   * await kinora.createTranslationJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { language_ids: ['1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90'] } });
   */
  createTranslationJob(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: TranslationJobInput;
  }, options?: CallOptions): Answer<TranslationJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/translation_jobs`, body: input.body, options });
  }

  /**
   * Create clips of a ready asset, all or none. POST /v1/assets/{asset_id}/video_clips
   * @example
   * await kinora.createVideoClips({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { video_clips: [{ start_ms: 12000, end_ms: 42000, aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true }] } });
   */
  createVideoClips(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: CreateVideoClipsInput;
  }, options?: CallOptions): Answer<VideoClipList> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips`, body: input.body, options });
  }

  /**
   * Create a view. POST /v1/views
   * @example
   * await kinora.createView({ body: { name: 'Good news of November', filter_params: [{ field: 'sentiment', op: 'eq', value: 'Positive' }, { field: 'speakers', op: 'in', value: ['Ada', 'Grace'] }, { field: 'created_at', op: 'gte', value: '2026-11-01T00:00:00Z' }] } });
   */
  createView(input: {
    readonly body: ViewInput;
  }, options?: CallOptions): Answer<View> {
    return this.#http.json({ method: 'POST', path: `/v1/views`, body: input.body, options });
  }

  /**
   * Speak translations of an asset. POST /v1/assets/{asset_id}/process_voice_over_jobs
   * @example
   * await kinora.createVoiceOverJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { language_ids: ['1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90'] } });
   */
  createVoiceOverJob(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body?: VoiceOverJobInput;
  }, options?: CallOptions): Answer<VoiceOverJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/process_voice_over_jobs`, body: input.body, options });
  }

  /**
   * Create a webhook. POST /v1/webhooks
   * @example
   * await kinora.createWebhook({ body: { url: 'https://example.com/kinora-events', description: 'Editorial system', event_types: ['asset.ready', 'asset.failed'] } });
   */
  createWebhook(input: {
    readonly body: WebhookInput;
  }, options?: CallOptions): Answer<Webhook> {
    return this.#http.json({ method: 'POST', path: `/v1/webhooks`, body: input.body, options });
  }

  /**
   * Create a whitelist. POST /v1/whitelists
   * @example
   * await kinora.createWhitelist({ body: { name: 'House names', words: ['Kinora', 'Zoetrope'] } });
   */
  createWhitelist(input: {
    readonly body: WhitelistInput;
  }, options?: CallOptions): Answer<Whitelist> {
    return this.#http.json({ method: 'POST', path: `/v1/whitelists`, body: input.body, options });
  }

  /**
   * Delete an asset with all that was made from it. DELETE /v1/assets/{asset_id}
   * @example
   * await kinora.deleteAsset({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  deleteAsset(input: {
    /** Asset */
    readonly asset_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}`, options });
  }

  /**
   * Delete a blacklist. DELETE /v1/blacklists/{blacklist_id}
   * @example
   * await kinora.deleteBlacklist({ blacklist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteBlacklist(input: {
    /** Blacklist */
    readonly blacklist_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/blacklists/${encodeURIComponent(input.blacklist_id)}`, options });
  }

  /**
   * Delete a branding. DELETE /v1/brandings/{branding_id}
   * @example
   * await kinora.deleteBranding({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteBranding(input: {
    /** Branding */
    readonly branding_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}`, options });
  }

  /**
   * Delete a branding clip. DELETE /v1/branding_clips/{clip_id}
   * @example
   * await kinora.deleteBrandingClip({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteBrandingClip(input: {
    /** Branding clip */
    readonly clip_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}`, options });
  }

  /**
   * Delete a branding overlay. DELETE /v1/branding_overlays/{overlay_id}
   * @example
   * await kinora.deleteBrandingOverlay({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02' });
   */
  deleteBrandingOverlay(input: {
    /** Branding overlay */
    readonly overlay_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}`, options });
  }

  /**
   * Delete a branding subtitle style. DELETE /v1/branding_subtitle_styles/{style_id}
   * @example
   * await kinora.deleteBrandingSubtitleStyle({ style_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteBrandingSubtitleStyle(input: {
    /** Branding subtitle style */
    readonly style_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/branding_subtitle_styles/${encodeURIComponent(input.style_id)}`, options });
  }

  /**
   * Delete a branding variant. DELETE /v1/brandings/{branding_id}/variants/{variant_id}
   * @example
   * await kinora.deleteBrandingVariant({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', variant_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteBrandingVariant(input: {
    /** Branding */
    readonly branding_id: string;
    /** Branding variant */
    readonly variant_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}/variants/${encodeURIComponent(input.variant_id)}`, options });
  }

  /**
   * Delete a center of interest. DELETE /v1/assets/{asset_id}/centers_of_interest/{coi_id}
   * @example
   * await kinora.deleteCenterOfInterest({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', coi_id: '019a9d2e-40aa-7d10-8c3e-5b7a0e4d2c01' });
   */
  deleteCenterOfInterest(input: {
    /** Asset */
    readonly asset_id: string;
    /** Center of interest */
    readonly coi_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/centers_of_interest/${encodeURIComponent(input.coi_id)}`, options });
  }

  /**
   * Delete a channel. DELETE /v1/channels/{channel_id}
   * @example
   * await kinora.deleteChannel({ channel_id: '019a9d32-3c4d-7e5f-8a61-7c8d9e0f1a23' });
   */
  deleteChannel(input: {
    /** Channel */
    readonly channel_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/channels/${encodeURIComponent(input.channel_id)}`, options });
  }

  /**
   * Delete a collection. DELETE /v1/collections/{collection_id}
   * @example
   * await kinora.deleteCollection({ collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteCollection(input: {
    /** Collection */
    readonly collection_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/collections/${encodeURIComponent(input.collection_id)}`, options });
  }

  /**
   * Delete a dictionary. DELETE /v1/dictionaries/{dictionary_id}
   * @example
   * await kinora.deleteDictionary({ dictionary_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteDictionary(input: {
    /** Dictionary */
    readonly dictionary_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/dictionaries/${encodeURIComponent(input.dictionary_id)}`, options });
  }

  /**
   * Delete an external storage. DELETE /v1/external_storages/{external_storage_id}
   * @example
   * await kinora.deleteExternalStorage({ external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteExternalStorage(input: {
    /** External storage */
    readonly external_storage_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/external_storages/${encodeURIComponent(input.external_storage_id)}`, options });
  }

  /**
   * Delete a segment. DELETE /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}
   * @example
   * await kinora.deleteSegment({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44' });
   */
  deleteSegment(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** Segment */
    readonly segment_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments/${encodeURIComponent(input.segment_id)}`, options });
  }

  /**
   * Delete a sound description. DELETE /v1/assets/{asset_id}/sound_descriptions/{description_id}
   * @example
   * await kinora.deleteSoundDescription({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', description_id: '019a9d2e-51bb-7a02-9f1c-0c4d2a7e8b11' });
   */
  deleteSoundDescription(input: {
    /** Asset */
    readonly asset_id: string;
    /** Sound description */
    readonly description_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/sound_descriptions/${encodeURIComponent(input.description_id)}`, options });
  }

  /**
   * Delete a speaker. DELETE /v1/assets/{asset_id}/speakers/{speaker_id}
   * @example
   * await kinora.deleteSpeaker({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01' });
   */
  deleteSpeaker(input: {
    /** Asset */
    readonly asset_id: string;
    /** Speaker */
    readonly speaker_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/speakers/${encodeURIComponent(input.speaker_id)}`, options });
  }

  /**
   * Delete a template. DELETE /v1/templates/{template_id}
   * @example
   * await kinora.deleteTemplate({ template_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteTemplate(input: {
    /** Template */
    readonly template_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/templates/${encodeURIComponent(input.template_id)}`, options });
  }

  /**
   * Delete a clip with its file. DELETE /v1/assets/{asset_id}/video_clips/{video_id}
   * @example
   * await kinora.deleteVideoClip({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01' });
   */
  deleteVideoClip(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_id)}`, options });
  }

  /**
   * Delete a view. DELETE /v1/views/{view_id}
   * @example
   * await kinora.deleteView({ view_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteView(input: {
    /** View */
    readonly view_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/views/${encodeURIComponent(input.view_id)}`, options });
  }

  /**
   * Delete a webhook. DELETE /v1/webhooks/{webhook_id}
   * @example
   * await kinora.deleteWebhook({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteWebhook(input: {
    /** Webhook */
    readonly webhook_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}`, options });
  }

  /**
   * Delete a whitelist. DELETE /v1/whitelists/{whitelist_id}
   * @example
   * await kinora.deleteWhitelist({ whitelist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  deleteWhitelist(input: {
    /** Whitelist */
    readonly whitelist_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/whitelists/${encodeURIComponent(input.whitelist_id)}`, options });
  }

  /**
   * Get addresses to download rendered clips from. POST /v1/assets/{asset_id}/video_clips/download
   * @example
   * await kinora.downloadVideoClips({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { video_ids: ['019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01'] } });
   */
  downloadVideoClips(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: DownloadInput;
  }, options?: CallOptions): Answer<DownloadList> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/download`, body: input.body, options });
  }

  /**
   * Render clips and get addresses to download them from. POST /v1/assets/{asset_id}/video_clips/download_async
   * @example
   * await kinora.downloadVideoClipsAsync({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { video_ids: ['019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01'] } });
   */
  downloadVideoClipsAsync(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: DownloadInput;
  }, options?: CallOptions): Answer<ClipsJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/download_async`, body: input.body, options });
  }

  /**
   * Write a transcription as JSON to an external storage. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/json/export
   * @example
   * await kinora.exportJson({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportJson(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/json/export`, body: input.body, options });
  }

  /**
   * Write metadata as JSON to an external storage. POST /v1/assets/{asset_id}/metadata/{metadata_id}/json/export
   * @example
   * await kinora.exportMetadata({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', metadata_id: '019a9d2e-62cc-7b13-8a2d-1d5e3b8f9c21', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportMetadata(input: {
    /** Asset */
    readonly asset_id: string;
    /** Metadata */
    readonly metadata_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/metadata/${encodeURIComponent(input.metadata_id)}/json/export`, body: input.body, options });
  }

  /**
   * Write SubRip subtitles to an external storage. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/srt/export
   * @example
   * await kinora.exportSrt({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportSrt(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/srt/export`, body: input.body, options });
  }

  /**
   * Write EBU STL subtitles to an external storage. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/stl/export
   * @example
   * await kinora.exportStl({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportStl(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/stl/export`, body: input.body, options });
  }

  /**
   * Write a rendered clip to an external storage, and wait for it. POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/export
   * @example
   * await kinora.exportVideoClip({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportVideoClip(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_clip_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_clip_id)}/export`, body: input.body, options });
  }

  /**
   * Render a clip and write it to an external storage. POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export
   * @example
   * await kinora.exportVideoClipAsync({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportVideoClipAsync(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_clip_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_clip_id)}/async_export`, body: input.body, options });
  }

  /**
   * Write WebVTT subtitles to an external storage. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt/export
   * @example
   * await kinora.exportVtt({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' } });
   */
  exportVtt(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: ExportInput;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/vtt/export`, body: input.body, options });
  }

  /**
   * Complete the upload of the branding clip's file and check it. POST /v1/branding_clips/{clip_id}/finish_upload
   * @example
   * await kinora.finishBrandingClipUpload({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { etags: ['"9b2cf535f27731c974343645a3985328"'] } });
   */
  finishBrandingClipUpload(input: {
    /** Id in the path */
    readonly clip_id: string;
    readonly body: FinishUploadInput;
  }, options?: CallOptions): Answer<BrandingClipUploadJob> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}/finish_upload`, body: input.body, options });
  }

  /**
   * Complete the upload of the branding overlay's file and check it. POST /v1/branding_overlays/{overlay_id}/finish_upload
   * @example
   * await kinora.finishBrandingOverlayUpload({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02', body: { etags: ['"9b2cf535f27731c974343645a3985328"'] } });
   */
  finishBrandingOverlayUpload(input: {
    /** Id in the path */
    readonly overlay_id: string;
    readonly body: FinishUploadInput;
  }, options?: CallOptions): Answer<BrandingOverlayUploadJob> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}/finish_upload`, body: input.body, options });
  }

  /**
   * Complete the upload and start processing. POST /v1/assets/{asset_id}/finish_upload
   * @example
   * await kinora.finishUpload({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { etags: ['"9b2cf535f27731c974343645a3985328"'] } });
   */
  finishUpload(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body: FinishUploadInput;
  }, options?: CallOptions): Answer<IngestJob> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/finish_upload`, body: input.body, options });
  }

  /**
   * Get an external storage of any tenant. GET /v1/admin/external_storages/{external_storage_id}
   * @example
   * await kinora.getAdminExternalStorage({ external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getAdminExternalStorage(input: {
    /** External storage */
    readonly external_storage_id: string;
  }, options?: CallOptions): Answer<AdminExternalStorage> {
    return this.#http.json({ method: 'GET', path: `/v1/admin/external_storages/${encodeURIComponent(input.external_storage_id)}`, options });
  }

  /**
   * Get an asset. GET /v1/assets/{asset_id}
   * @example
   * await kinora.getAsset({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  getAsset(input: {
    /** Asset */
    readonly asset_id: string;
  }, options?: CallOptions): Answer<Asset> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}`, options });
  }

  /**
   * Get an asset by the caller's own id. GET /v1/external/assets/{external_id}
   * @example
   * await kinora.getAssetByExternalId({ external_id: 'cms-4711' });
   */
  getAssetByExternalId(input: {
    /** Caller's own id, percent-encoded */
    readonly external_id: string;
  }, options?: CallOptions): Answer<Asset> {
    return this.#http.json({ method: 'GET', path: `/v1/external/assets/${pathText(input.external_id)}`, options });
  }

  /**
   * Get an audio track. GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}
   * @example
   * await kinora.getAudioTrack({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42' });
   */
  getAudioTrack(input: {
    /** Asset */
    readonly asset_id: string;
    /** Audio track */
    readonly audio_track_id: string;
  }, options?: CallOptions): Answer<AudioTrack> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/audio_tracks/${encodeURIComponent(input.audio_track_id)}`, options });
  }

  /**
   * Get an address to download an audio track from. GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/download_url
   * @example
   * await kinora.getAudioTrackDownloadUrl({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42' });
   */
  getAudioTrackDownloadUrl(input: {
    /** Asset */
    readonly asset_id: string;
    /** Audio track */
    readonly audio_track_id: string;
  }, options?: CallOptions): Answer<Download> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/audio_tracks/${encodeURIComponent(input.audio_track_id)}/download_url`, options });
  }

  /**
   * Get the fit report of a voice over. GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/fit
   * @example
   * await kinora.getAudioTrackFit({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42' });
   */
  getAudioTrackFit(input: {
    /** Asset */
    readonly asset_id: string;
    /** Audio track */
    readonly audio_track_id: string;
  }, options?: CallOptions): Answer<FitReport> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/audio_tracks/${encodeURIComponent(input.audio_track_id)}/fit`, options });
  }

  /**
   * Get an address to download the video with a voice over from. GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/video_download_url
   * @example
   * await kinora.getAudioTrackVideoDownloadUrl({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42' });
   */
  getAudioTrackVideoDownloadUrl(input: {
    /** Asset */
    readonly asset_id: string;
    /** Audio track */
    readonly audio_track_id: string;
  }, options?: CallOptions): Answer<Download> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/audio_tracks/${encodeURIComponent(input.audio_track_id)}/video_download_url`, options });
  }

  /**
   * Get a blacklist. GET /v1/blacklists/{blacklist_id}
   * @example
   * await kinora.getBlacklist({ blacklist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getBlacklist(input: {
    /** Blacklist */
    readonly blacklist_id: string;
  }, options?: CallOptions): Answer<Blacklist> {
    return this.#http.json({ method: 'GET', path: `/v1/blacklists/${encodeURIComponent(input.blacklist_id)}`, options });
  }

  /**
   * Get a branding. GET /v1/brandings/{branding_id}
   * @example
   * await kinora.getBranding({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getBranding(input: {
    /** Branding */
    readonly branding_id: string;
  }, options?: CallOptions): Answer<Branding> {
    return this.#http.json({ method: 'GET', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}`, options });
  }

  /**
   * Get a branding clip. GET /v1/branding_clips/{clip_id}
   * @example
   * await kinora.getBrandingClip({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getBrandingClip(input: {
    /** Branding clip */
    readonly clip_id: string;
  }, options?: CallOptions): Answer<BrandingClip> {
    return this.#http.json({ method: 'GET', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}`, options });
  }

  /**
   * Follow the upload of the branding clip's file. GET /v1/branding_clips/{clip_id}/upload_jobs/{job_id}
   * @example
   * await kinora.getBrandingClipUploadJob({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getBrandingClipUploadJob(input: {
    /** Id in the path */
    readonly clip_id: string;
    /** Id in the path */
    readonly job_id: string;
  }, options?: CallOptions): Answer<BrandingClipUploadJob> {
    return this.#http.json({ method: 'GET', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}/upload_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a branding overlay. GET /v1/branding_overlays/{overlay_id}
   * @example
   * await kinora.getBrandingOverlay({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02' });
   */
  getBrandingOverlay(input: {
    /** Branding overlay */
    readonly overlay_id: string;
  }, options?: CallOptions): Answer<BrandingOverlay> {
    return this.#http.json({ method: 'GET', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}`, options });
  }

  /**
   * Follow the upload of the branding overlay's file. GET /v1/branding_overlays/{overlay_id}/upload_jobs/{job_id}
   * @example
   * await kinora.getBrandingOverlayUploadJob({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getBrandingOverlayUploadJob(input: {
    /** Id in the path */
    readonly overlay_id: string;
    /** Id in the path */
    readonly job_id: string;
  }, options?: CallOptions): Answer<BrandingOverlayUploadJob> {
    return this.#http.json({ method: 'GET', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}/upload_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a branding subtitle style. GET /v1/branding_subtitle_styles/{style_id}
   * @example
   * await kinora.getBrandingSubtitleStyle({ style_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getBrandingSubtitleStyle(input: {
    /** Branding subtitle style */
    readonly style_id: string;
  }, options?: CallOptions): Answer<BrandingSubtitleStyle> {
    return this.#http.json({ method: 'GET', path: `/v1/branding_subtitle_styles/${encodeURIComponent(input.style_id)}`, options });
  }

  /**
   * Get a branding variant. GET /v1/brandings/{branding_id}/variants/{variant_id}
   * @example
   * await kinora.getBrandingVariant({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', variant_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getBrandingVariant(input: {
    /** Branding */
    readonly branding_id: string;
    /** Branding variant */
    readonly variant_id: string;
  }, options?: CallOptions): Answer<BrandingVariant> {
    return this.#http.json({ method: 'GET', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}/variants/${encodeURIComponent(input.variant_id)}`, options });
  }

  /**
   * Get a channel, with the address of its playback. GET /v1/channels/{channel_id}
   * @example
   * await kinora.getChannel({ channel_id: '019a9d32-3c4d-7e5f-8a61-7c8d9e0f1a23' });
   */
  getChannel(input: {
    /** Channel */
    readonly channel_id: string;
  }, options?: CallOptions): Answer<Channel> {
    return this.#http.json({ method: 'GET', path: `/v1/channels/${encodeURIComponent(input.channel_id)}`, options });
  }

  /**
   * Follow the export of a clip. GET /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export/{job_id}
   * @example
   * await kinora.getClipExportJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getClipExportJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_clip_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<ExportJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_clip_id)}/async_export/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a collection. GET /v1/collections/{collection_id}
   * @example
   * await kinora.getCollection({ collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getCollection(input: {
    /** Collection */
    readonly collection_id: string;
  }, options?: CallOptions): Answer<Collection> {
    return this.#http.json({ method: 'GET', path: `/v1/collections/${encodeURIComponent(input.collection_id)}`, options });
  }

  /**
   * Get the usage of the current month. GET /v1/usages/current_month
   * @example
   * await kinora.getCurrentUsage();
   */
  getCurrentUsage(options?: CallOptions): Answer<Usage> {
    return this.#http.json({ method: 'GET', path: `/v1/usages/current_month`, options });
  }

  /**
   * Get a dictionary. GET /v1/dictionaries/{dictionary_id}
   * @example
   * await kinora.getDictionary({ dictionary_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getDictionary(input: {
    /** Dictionary */
    readonly dictionary_id: string;
  }, options?: CallOptions): Answer<Dictionary> {
    return this.#http.json({ method: 'GET', path: `/v1/dictionaries/${encodeURIComponent(input.dictionary_id)}`, options });
  }

  /**
   * Follow a download job. GET /v1/assets/{asset_id}/video_clips/download_async/{job_id}
   * @example
   * await kinora.getDownloadJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getDownloadJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<ClipsJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/download_async/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get an event. GET /v1/events/{event_id}
   * @example
   * await kinora.getEvent({ event_id: '019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59' });
   */
  getEvent(input: {
    /** Event */
    readonly event_id: string;
  }, options?: CallOptions): Answer<Event> {
    return this.#http.json({ method: 'GET', path: `/v1/events/${encodeURIComponent(input.event_id)}`, options });
  }

  /**
   * Get an external storage. GET /v1/external_storages/{external_storage_id}
   * @example
   * await kinora.getExternalStorage({ external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getExternalStorage(input: {
    /** External storage */
    readonly external_storage_id: string;
  }, options?: CallOptions): Answer<ExternalStorage> {
    return this.#http.json({ method: 'GET', path: `/v1/external_storages/${encodeURIComponent(input.external_storage_id)}`, options });
  }

  /**
   * Get the usage of the months before, the latest first. GET /v1/usages/historical
   * @example
   * await kinora.getHistoricalUsage();
   */
  getHistoricalUsage(input: {
    /** How many */
    readonly months?: number;
  } = {}, options?: CallOptions): Answer<UsageHistory> {
    return this.#http.json({ method: 'GET', path: `/v1/usages/historical`, query: { months: input.months }, options });
  }

  /**
   * Follow the processing of an upload. GET /v1/assets/{asset_id}/ingest_jobs/{job_id}
   * @example
   * await kinora.getIngestJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getIngestJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<IngestJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/ingest_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Follow a job of any kind. GET /v1/jobs/{job_id}
   * @example
   * await kinora.getJob({ job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getJob(input: {
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<Job> {
    return this.#http.json({ method: 'GET', path: `/v1/jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a language. GET /v1/languages/{language_id}
   * @example
   * await kinora.getLanguage({ language_id: '8993a0fb-016d-5a01-81d7-1cebafdf70d7' });
   */
  getLanguage(input: {
    /** Language */
    readonly language_id: string;
  }, options?: CallOptions): Answer<Language> {
    return this.#http.json({ method: 'GET', path: `/v1/languages/${encodeURIComponent(input.language_id)}`, options });
  }

  /**
   * Get metadata with keywords, entities, chapters and texts. GET /v1/assets/{asset_id}/metadata/{metadata_id}
   * @example
   * await kinora.getMetadata({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', metadata_id: '019a9d2e-62cc-7b13-8a2d-1d5e3b8f9c21' });
   */
  getMetadata(input: {
    /** Asset */
    readonly asset_id: string;
    /** Metadata */
    readonly metadata_id: string;
  }, options?: CallOptions): Answer<Metadata> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/metadata/${encodeURIComponent(input.metadata_id)}`, options });
  }

  /**
   * Follow a partial retranslation job. GET /v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}
   * @example
   * await kinora.getPartialRetranslationJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getPartialRetranslationJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<PartialRetranslationJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/partial_retranslation_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get the picture that stands for the video. GET /v1/assets/{asset_id}/poster
   * @example
   * await kinora.getPoster({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  getPoster(input: {
    /** Asset */
    readonly asset_id: string;
  }, options?: CallOptions): Answer<Poster> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/poster`, options });
  }

  /**
   * Follow the publishing of a clip. GET /v1/publish/{job_id}
   * @example
   * await kinora.getPublishJob({ job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getPublishJob(input: {
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<PublishJob> {
    return this.#http.json({ method: 'GET', path: `/v1/publish/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a report on the quality of the subtitles. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/qc
   * @example
   * await kinora.getQcReport({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' });
   */
  getQcReport(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** broadcast: teletext and EBU STL, after the BBC; web: after TED; netflix-like: after the Netflix Timed Text Style Guide */
    readonly profile?: "broadcast" | "web" | "netflix-like";
  }, options?: CallOptions): Answer<QcReport> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/qc`, query: { profile: input.profile }, options });
  }

  /**
   * Ask what a job would cost. GET /v1/assets/{asset_id}/quote
   * @example
   * await kinora.getQuote({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  getQuote(input: {
    /** Asset */
    readonly asset_id: string;
    /** Which job */
    readonly job?: "ingest" | "translation" | "voice_over" | "clips";
    /** For `translation` and `voice_over`, which need it: into which languages, comma-separated */
    readonly languages?: string;
    /** For `voice_over`: whether voices are to be cloned. As the asset's template says when absent */
    readonly clone_voice?: boolean;
    /** For `clips`, which needs it: which clips, comma-separated */
    readonly clips?: string;
    /** For `ingest`: how long the media are. What is known of the asset when absent */
    readonly duration_ms?: number;
    /** For `ingest`, before anything is known of the media: whether they have pictures */
    readonly has_video?: boolean;
  }, options?: CallOptions): Answer<Quote> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/quote`, query: { job: input.job, languages: input.languages, clone_voice: input.clone_voice, clips: input.clips, duration_ms: input.duration_ms, has_video: input.has_video }, options });
  }

  /**
   * Get a sound description. GET /v1/assets/{asset_id}/sound_descriptions/{description_id}
   * @example
   * await kinora.getSoundDescription({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', description_id: '019a9d2e-51bb-7a02-9f1c-0c4d2a7e8b11' });
   */
  getSoundDescription(input: {
    /** Asset */
    readonly asset_id: string;
    /** Sound description */
    readonly description_id: string;
  }, options?: CallOptions): Answer<SoundDescription> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/sound_descriptions/${encodeURIComponent(input.description_id)}`, options });
  }

  /**
   * Get SubRip subtitles. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/srt
   * @example
   * await kinora.getSrt({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' });
   */
  getSrt(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
  }, options?: CallOptions): Answer<string> {
    return this.#http.text({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/srt`, options });
  }

  /**
   * Get EBU STL subtitles. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/stl
   * @example
   * await kinora.getStl({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' });
   */
  getStl(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** level1 and level2 are teletext, boxed, in double height and at most 37 characters a row, with speakers told apart by white, yellow, cyan and green (36 characters where there are several); open is for subtitles that are put into the picture, at most 42 a row */
    readonly display_standard?: "open" | "level1" | "level2";
    /** Frames a second of the time codes, of which the format has no others; when absent 25 for media of 25 and 50, and where the rate is not known, else 30 */
    readonly frame_rate?: 25 | 30;
    /** clock: they tell the time since the start, whatever the rate of the media; those of drop-frame masters differ by two frames at most. non_drop, at 30: they count the pictures of masters of 29.97 (30000/1001) that leave no number out, and are 3.6 s behind the clock after an hour. The format does not say which it is; masters of 23.976 and 24 have time codes that it cannot tell */
    readonly time_codes?: "clock" | "non_drop";
    /** Time code of the programme's first picture, `hh:mm:ss:ff`, often `10:00:00:00`, or `hh:mm:ss;ff` of drop-frame; when absent that of the media, `start_timecode` of the asset, and `00:00:00:00` where they have none */
    readonly start_timecode?: string;
    /** Whether to add sounds such as [applause] */
    readonly include_sound_descriptions?: boolean;
  }, options?: CallOptions): Answer<Uint8Array> {
    return this.#http.bytes({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/stl`, query: { display_standard: input.display_standard, frame_rate: input.frame_rate, time_codes: input.time_codes, start_timecode: input.start_timecode, include_sound_descriptions: input.include_sound_descriptions }, options });
  }

  /**
   * Get small pictures of the whole video, for a seek bar. GET /v1/assets/{asset_id}/storyboard
   * @example
   * await kinora.getStoryboard({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  getStoryboard(input: {
    /** Asset */
    readonly asset_id: string;
  }, options?: CallOptions): Answer<Storyboard> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/storyboard`, options });
  }

  /**
   * Get a template. GET /v1/templates/{template_id}
   * @example
   * await kinora.getTemplate({ template_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getTemplate(input: {
    /** Template */
    readonly template_id: string;
  }, options?: CallOptions): Answer<Template> {
    return this.#http.json({ method: 'GET', path: `/v1/templates/${encodeURIComponent(input.template_id)}`, options });
  }

  /**
   * Get a transcription with its segments. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}
   * @example
   * await kinora.getTranscription({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' });
   */
  getTranscription(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** An earlier version; the newest when absent */
    readonly version?: number;
    /** Page number */
    readonly page?: number;
    /** Segments a page; 1000 where only the page is told */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
    /** Only the segments with this mark, or with any; `segment_count` still counts all */
    readonly qc?: "low_confidence" | "fast_speech" | "short_cue" | "late_cue" | "wide_line" | "any";
  }, options?: CallOptions): Answer<Transcription> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}`, query: { version: input.version, page: input.page, items: input.items, cursor: input.cursor, qc: input.qc }, options });
  }

  /**
   * Follow a translation job. GET /v1/assets/{asset_id}/translation_jobs/{job_id}
   * @example
   * await kinora.getTranslationJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getTranslationJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<TranslationJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/translation_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get a clip. GET /v1/assets/{asset_id}/video_clips/{video_id}
   * @example
   * await kinora.getVideoClip({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01' });
   */
  getVideoClip(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_id: string;
  }, options?: CallOptions): Answer<VideoClip> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_id)}`, options });
  }

  /**
   * Get the path of the frame in a clip. GET /v1/assets/{asset_id}/video_clips/{video_id}/framing
   * @example
   * await kinora.getVideoClipFraming({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', video_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01' });
   */
  getVideoClipFraming(input: {
    /** Asset */
    readonly asset_id: string;
    /** Clip */
    readonly video_id: string;
  }, options?: CallOptions): Answer<VideoClipFraming> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips/${encodeURIComponent(input.video_id)}/framing`, options });
  }

  /**
   * Get a view. GET /v1/views/{view_id}
   * @example
   * await kinora.getView({ view_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getView(input: {
    /** View */
    readonly view_id: string;
  }, options?: CallOptions): Answer<View> {
    return this.#http.json({ method: 'GET', path: `/v1/views/${encodeURIComponent(input.view_id)}`, options });
  }

  /**
   * Follow a voice over job. GET /v1/assets/{asset_id}/process_voice_over_jobs/{job_id}
   * @example
   * await kinora.getVoiceOverJob({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e' });
   */
  getVoiceOverJob(input: {
    /** Asset */
    readonly asset_id: string;
    /** Job */
    readonly job_id: string;
  }, options?: CallOptions): Answer<VoiceOverJob> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/process_voice_over_jobs/${encodeURIComponent(input.job_id)}`, options });
  }

  /**
   * Get WebVTT subtitles. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt
   * @example
   * await kinora.getVtt({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' });
   */
  getVtt(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** standard names speakers and places cues; simplified has plain cues only */
    readonly flavor?: "standard" | "simplified";
    /** Whether to add cues such as [applause] */
    readonly include_sound_descriptions?: boolean;
  }, options?: CallOptions): Answer<string> {
    return this.#http.text({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/vtt`, query: { flavor: input.flavor, include_sound_descriptions: input.include_sound_descriptions }, options });
  }

  /**
   * Get the waveform of the sound. GET /v1/assets/{asset_id}/waveform
   * @example
   * await kinora.getWaveform({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' });
   */
  getWaveform(input: {
    /** Asset */
    readonly asset_id: string;
  }, options?: CallOptions): Answer<Waveform> {
    return this.#http.json({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/waveform`, options });
  }

  /**
   * Get a webhook. GET /v1/webhooks/{webhook_id}
   * @example
   * await kinora.getWebhook({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getWebhook(input: {
    /** Webhook */
    readonly webhook_id: string;
  }, options?: CallOptions): Answer<Webhook> {
    return this.#http.json({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}`, options });
  }

  /**
   * Get the secret that signs a webhook's deliveries. GET /v1/webhooks/{webhook_id}/secret
   * @example
   * await kinora.getWebhookSecret({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getWebhookSecret(input: {
    /** Webhook */
    readonly webhook_id: string;
  }, options?: CallOptions): Answer<WebhookSecrets> {
    return this.#http.json({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}/secret`, options });
  }

  /**
   * Get a whitelist. GET /v1/whitelists/{whitelist_id}
   * @example
   * await kinora.getWhitelist({ whitelist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  getWhitelist(input: {
    /** Whitelist */
    readonly whitelist_id: string;
  }, options?: CallOptions): Answer<Whitelist> {
    return this.#http.json({ method: 'GET', path: `/v1/whitelists/${encodeURIComponent(input.whitelist_id)}`, options });
  }

  /**
   * List the external storages of all tenants, newest first. GET /v1/admin/external_storages
   * @example
   * for await (const item of kinora.listAdminExternalStorages()) console.log(item);
   */
  listAdminExternalStorages(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<AdminExternalStoragePage> {
    return this.#http.list({ method: 'GET', path: `/v1/admin/external_storages`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List assets, newest first. GET /v1/assets
   * @example
   * for await (const item of kinora.listAssets()) console.log(item);
   */
  listAssets(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
    /** Only assets of this collection */
    readonly collection_id?: string;
    /** Entities that the asset speaks of, comma-separated: it is found by those that it speaks of most, as many as fill 60,000 bytes */
    readonly entities?: string;
    readonly sentiment?: "Negative" | "Neutral" | "Positive";
    /** EBU classification */
    readonly classification?: string;
    /** Names of speakers, comma-separated */
    readonly speakers?: string;
    /** Only assets with a transcription in this language */
    readonly language_id?: string;
    /** Only assets that meet the conditions of this view; an addition of ours */
    readonly view_id?: string;
  } = {}, options?: CallOptions): List<AssetPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets`, query: { page: input.page, items: input.items, cursor: input.cursor, collection_id: input.collection_id, entities: input.entities, sentiment: input.sentiment, classification: input.classification, speakers: input.speakers, language_id: input.language_id, view_id: input.view_id }, options });
  }

  /**
   * List audio tracks. GET /v1/assets/{asset_id}/audio_tracks
   * @example
   * for await (const item of kinora.listAudioTracks({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listAudioTracks(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<AudioTrackPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/audio_tracks`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List the centers that reframing follows, by time. GET /v1/assets/{asset_id}/autocenter
   * @example
   * for await (const item of kinora.listAutocenter({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listAutocenter(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<AutocenterPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/autocenter`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List blacklists, newest first. GET /v1/blacklists
   * @example
   * for await (const item of kinora.listBlacklists()) console.log(item);
   */
  listBlacklists(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<BlacklistPage> {
    return this.#http.list({ method: 'GET', path: `/v1/blacklists`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List branding clips, newest first. GET /v1/branding_clips
   * @example
   * for await (const item of kinora.listBrandingClips()) console.log(item);
   */
  listBrandingClips(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<BrandingClipPage> {
    return this.#http.list({ method: 'GET', path: `/v1/branding_clips`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List branding overlays, newest first. GET /v1/branding_overlays
   * @example
   * for await (const item of kinora.listBrandingOverlays()) console.log(item);
   */
  listBrandingOverlays(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<BrandingOverlayPage> {
    return this.#http.list({ method: 'GET', path: `/v1/branding_overlays`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List branding subtitle styles, newest first. GET /v1/branding_subtitle_styles
   * @example
   * for await (const item of kinora.listBrandingSubtitleStyles()) console.log(item);
   */
  listBrandingSubtitleStyles(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<BrandingSubtitleStylePage> {
    return this.#http.list({ method: 'GET', path: `/v1/branding_subtitle_styles`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List variants of a branding, newest first. GET /v1/brandings/{branding_id}/variants
   * @example
   * for await (const item of kinora.listBrandingVariants({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' })) console.log(item);
   */
  listBrandingVariants(input: {
    /** Branding */
    readonly branding_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<BrandingVariantPage> {
    return this.#http.list({ method: 'GET', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}/variants`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List brandings, newest first. GET /v1/brandings
   * @example
   * for await (const item of kinora.listBrandings()) console.log(item);
   */
  listBrandings(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<BrandingPage> {
    return this.#http.list({ method: 'GET', path: `/v1/brandings`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List camera shots, by time. GET /v1/assets/{asset_id}/camera_shoots
   * @example
   * for await (const item of kinora.listCameraShoots({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listCameraShoots(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<CameraShotPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/camera_shoots`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List centers of interest, by time. GET /v1/assets/{asset_id}/centers_of_interest
   * @example
   * for await (const item of kinora.listCentersOfInterest({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listCentersOfInterest(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<CenterOfInterestPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/centers_of_interest`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List channels, newest first. GET /v1/channels
   * @example
   * for await (const item of kinora.listChannels()) console.log(item);
   */
  listChannels(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<ChannelPage> {
    return this.#http.list({ method: 'GET', path: `/v1/channels`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List collections, newest first. GET /v1/collections
   * @example
   * for await (const item of kinora.listCollections()) console.log(item);
   */
  listCollections(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<CollectionPage> {
    return this.#http.list({ method: 'GET', path: `/v1/collections`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List dictionaries, newest first. GET /v1/dictionaries
   * @example
   * for await (const item of kinora.listDictionaries()) console.log(item);
   */
  listDictionaries(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<DictionaryPage> {
    return this.#http.list({ method: 'GET', path: `/v1/dictionaries`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * Read the event log forwards. GET /v1/events
   * @example
   * await kinora.listEvents();
   */
  listEvents(input: {
    /** Only events after this one */
    readonly after?: string;
    /** Only events from then on; where `after` is absent; ISO 8601, UTC */
    readonly since?: string;
    /** `asset.created`: The asset exists; its upload may begin.
  `asset.processing`: The upload is complete and is processed.
  `asset.ready`: Processing ended well: transcription and subtitles can be read.
  `asset.failed`: Processing ended; `error` says why, and what to do.
  `asset.deleted`: The asset is gone from lists; its media follow within minutes.
  `job.created`: The job is queued.
  `job.succeeded`: The job did all that it was to do.
  `job.partially_succeeded`: Some items of the job failed; the others are done.
  `job.failed`: The job ended without its result; `error` says why, and what to do.
  `job.canceled`: The job was ended before it was done.
  `webhook.test`: Somebody asked for a test of the webhook. */
    readonly type?: "asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled" | "webhook.test";
    /** Only events of this asset and of its jobs */
    readonly asset_id?: string;
    /** Events at most; fewer where filtered */
    readonly items?: number;
  } = {}, options?: CallOptions): Answer<EventPage> {
    return this.#http.json({ method: 'GET', path: `/v1/events`, query: { after: input.after, since: input.since, type: input.type, asset_id: input.asset_id, items: input.items }, options });
  }

  /**
   * List external storages, newest first. GET /v1/external_storages
   * @example
   * for await (const item of kinora.listExternalStorages()) console.log(item);
   */
  listExternalStorages(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<ExternalStoragePage> {
    return this.#http.list({ method: 'GET', path: `/v1/external_storages`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List faces, with when and where each is seen. GET /v1/assets/{asset_id}/faces
   * @example
   * for await (const item of kinora.listFaces({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listFaces(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<FacePage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/faces`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List an asset's ingest jobs, newest first. GET /v1/assets/{asset_id}/ingest_jobs
   * @example
   * for await (const item of kinora.listIngestJobs({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listIngestJobs(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<IngestJobPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/ingest_jobs`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List jobs of every kind, newest first. GET /v1/jobs
   * @example
   * for await (const item of kinora.listJobs()) console.log(item);
   */
  listJobs(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
    /** Only jobs of this kind
  `ingest`: processes an upload.
  `translation`: translates the transcription of an asset.
  `voice_over`: speaks translations of an asset.
  `partial_retranslation`: translates some segments again.
  `clips`: renders clips for download.
  `export`: writes to an external storage.
  `branding_upload`: checks the file of a branding overlay or clip.
  `publish`: publishes a clip on a platform. */
    readonly type?: "ingest" | "translation" | "voice_over" | "partial_retranslation" | "clips" | "export" | "branding_upload" | "publish";
    /** Only jobs of this asset */
    readonly asset_id?: string;
  } = {}, options?: CallOptions): List<JobPage> {
    return this.#http.list({ method: 'GET', path: `/v1/jobs`, query: { page: input.page, items: input.items, cursor: input.cursor, type: input.type, asset_id: input.asset_id }, options });
  }

  /**
   * List languages. GET /v1/languages
   * @example
   * for await (const item of kinora.listLanguages()) console.log(item);
   */
  listLanguages(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<LanguagePage> {
    return this.#http.list({ method: 'GET', path: `/v1/languages`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List metadata, one a language, without their details. GET /v1/assets/{asset_id}/metadata
   * @example
   * for await (const item of kinora.listMetadata({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listMetadata(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<MetadataPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/metadata`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List an asset's partial retranslation jobs, newest first. GET /v1/assets/{asset_id}/partial_retranslation_jobs
   * @example
   * for await (const item of kinora.listPartialRetranslationJobs({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listPartialRetranslationJobs(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<PartialRetranslationJobPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/partial_retranslation_jobs`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List sound descriptions, by time. GET /v1/assets/{asset_id}/sound_descriptions
   * @example
   * for await (const item of kinora.listSoundDescriptions({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listSoundDescriptions(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<SoundDescriptionPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/sound_descriptions`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List the speakers of an asset, oldest first. GET /v1/assets/{asset_id}/speakers
   * @example
   * for await (const item of kinora.listSpeakers({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listSpeakers(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<SpeakerPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/speakers`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List templates, newest first. GET /v1/templates
   * @example
   * for await (const item of kinora.listTemplates()) console.log(item);
   */
  listTemplates(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<TemplatePage> {
    return this.#http.list({ method: 'GET', path: `/v1/templates`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List the versions of a transcription, newest first. GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/versions
   * @example
   * for await (const item of kinora.listTranscriptionVersions({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10' })) console.log(item);
   */
  listTranscriptionVersions(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<TranscriptionVersionPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/versions`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List the transcriptions of an asset, without their segments. GET /v1/assets/{asset_id}/transcriptions
   * @example
   * for await (const item of kinora.listTranscriptions({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listTranscriptions(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
    /** true: only translations that are stale; false: only what is not */
    readonly stale?: boolean;
  }, options?: CallOptions): List<TranscriptionPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions`, query: { page: input.page, items: input.items, cursor: input.cursor, stale: input.stale }, options });
  }

  /**
   * List an asset's translation jobs, newest first. GET /v1/assets/{asset_id}/translation_jobs
   * @example
   * for await (const item of kinora.listTranslationJobs({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listTranslationJobs(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<TranslationJobPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/translation_jobs`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List the clips of an asset, oldest first. GET /v1/assets/{asset_id}/video_clips
   * @example
   * for await (const item of kinora.listVideoClips({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listVideoClips(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<VideoClipPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/video_clips`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List views, newest first. GET /v1/views
   * @example
   * for await (const item of kinora.listViews()) console.log(item);
   */
  listViews(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<ViewPage> {
    return this.#http.list({ method: 'GET', path: `/v1/views`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List an asset's voice over jobs, newest first. GET /v1/assets/{asset_id}/process_voice_over_jobs
   * @example
   * for await (const item of kinora.listVoiceOverJobs({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11' })) console.log(item);
   */
  listVoiceOverJobs(input: {
    /** Asset */
    readonly asset_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<VoiceOverJobPage> {
    return this.#http.list({ method: 'GET', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/process_voice_over_jobs`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List what was sent to a webhook, newest event first. GET /v1/webhooks/{webhook_id}/deliveries
   * @example
   * for await (const item of kinora.listWebhookDeliveries({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' })) console.log(item);
   */
  listWebhookDeliveries(input: {
    /** Webhook */
    readonly webhook_id: string;
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  }, options?: CallOptions): List<DeliveryPage> {
    return this.#http.list({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}/deliveries`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List webhooks, newest first. GET /v1/webhooks
   * @example
   * for await (const item of kinora.listWebhooks()) console.log(item);
   */
  listWebhooks(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<WebhookPage> {
    return this.#http.list({ method: 'GET', path: `/v1/webhooks`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * List whitelists, newest first. GET /v1/whitelists
   * @example
   * for await (const item of kinora.listWhitelists()) console.log(item);
   */
  listWhitelists(input: {
    /** Page number */
    readonly page?: number;
    /** Items a page */
    readonly items?: number;
    /** `next_cursor` of the page before, instead of `page` */
    readonly cursor?: string;
  } = {}, options?: CallOptions): List<WhitelistPage> {
    return this.#http.list({ method: 'GET', path: `/v1/whitelists`, query: { page: input.page, items: input.items, cursor: input.cursor }, options });
  }

  /**
   * Make one segment of several that follow each other. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/merge
   * @example
   * await kinora.mergeSegments({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { segment_ids: ['019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44', '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c45'] } });
   */
  mergeSegments(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: MergeSegmentsInput;
  }, options?: CallOptions): Answer<SegmentsVersion> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments/merge`, body: input.body, options });
  }

  /**
   * Find places in assets by what is said, seen or heard. POST /v1/nl_search
   * @experimental Planned: Search is not there yet. After all its checks a sound request is answered 501 `not_implemented`.
   * @example
   * await kinora.nlSearch({ body: { query: 'the presenter thanks the audience', max_results: 5 } });
   */
  nlSearch(input: {
    readonly body: SearchInput;
  }, options?: CallOptions): Answer<SearchResult> {
    return this.#http.json({ method: 'POST', path: `/v1/nl_search`, body: input.body, options });
  }

  /**
   * Publish a clip on a platform. POST /v1/clips/{clip_id}/publish
   * @experimental Planned: Publishing is not there yet. After all its checks a sound request is answered 501 `not_implemented`.
   * @example
   * await kinora.publishClip({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { platform: 'youtube', caption: 'Kinora in 30 seconds', schedule_at: '2030-01-01T09:00:00.000Z' } });
   */
  publishClip(input: {
    /** Clip */
    readonly clip_id: string;
    readonly body: PublishInput;
  }, options?: CallOptions): Answer<PublishJob> {
    return this.#http.json({ method: 'POST', path: `/v1/clips/${encodeURIComponent(input.clip_id)}/publish`, body: input.body, options });
  }

  /**
   * Send events to a webhook again. POST /v1/webhooks/{webhook_id}/deliveries
   * @example
   * await kinora.redeliverEvents({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { event_ids: ['019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59'] } });
   */
  redeliverEvents(input: {
    /** Webhook */
    readonly webhook_id: string;
    readonly body: RedeliveryInput;
  }, options?: CallOptions): Answer<Deliveries> {
    return this.#http.json({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}/deliveries`, body: input.body, options });
  }

  /**
   * Remove assets from a collection. DELETE /v1/collections/{collection_id}/assets
   * @example
   * await kinora.removeCollectionAssets({ collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { asset_ids: ['019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11'] } });
   */
  removeCollectionAssets(input: {
    /** Collection */
    readonly collection_id: string;
    readonly body: CollectionAssetsInput;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'DELETE', path: `/v1/collections/${encodeURIComponent(input.collection_id)}/assets`, body: input.body, options });
  }

  /**
   * Restore an earlier version of a transcription. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/restore
   * @example
   * await kinora.restoreTranscription({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { version: 1 } });
   */
  restoreTranscription(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: RestoreTranscriptionInput;
  }, options?: CallOptions): Answer<TranscriptionSummary> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/restore`, body: input.body, options });
  }

  /**
   * Change the secret that signs a webhook's deliveries. POST /v1/webhooks/{webhook_id}/rotate_secret
   * @example
   * await kinora.rotateWebhookSecret({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  rotateWebhookSecret(input: {
    /** Webhook */
    readonly webhook_id: string;
  }, options?: CallOptions): Answer<void> {
    return this.#http.nothing({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}/rotate_secret`, options });
  }

  /**
   * Cut a segment in two. POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}/split
   * @example
   * await kinora.splitSegment({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44', body: { word: 1 } });
   */
  splitSegment(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** Segment */
    readonly segment_id: string;
    readonly body: SplitSegmentInput;
  }, options?: CallOptions): Answer<SegmentsVersion> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments/${encodeURIComponent(input.segment_id)}/split`, body: input.body, options });
  }

  /**
   * Get one presigned address per part of the branding clip's file. POST /v1/branding_clips/{clip_id}/start_upload
   * @example
   * await kinora.startBrandingClipUpload({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { parts: 1 } });
   */
  startBrandingClipUpload(input: {
    /** Id in the path */
    readonly clip_id: string;
    readonly body?: StartUploadInput;
  }, options?: CallOptions): Answer<UploadTicket> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}/start_upload`, body: input.body, options });
  }

  /**
   * Get one presigned address per part of the branding overlay's file. POST /v1/branding_overlays/{overlay_id}/start_upload
   * @example
   * await kinora.startBrandingOverlayUpload({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02', body: { parts: 1 } });
   */
  startBrandingOverlayUpload(input: {
    /** Id in the path */
    readonly overlay_id: string;
    readonly body?: StartUploadInput;
  }, options?: CallOptions): Answer<UploadTicket> {
    return this.#http.json({ method: 'POST', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}/start_upload`, body: input.body, options });
  }

  /**
   * Get one presigned address per part. POST /v1/assets/{asset_id}/start_upload
   * @example
   * await kinora.startUpload({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', body: { parts: 3 } });
   */
  startUpload(input: {
    /** Asset */
    readonly asset_id: string;
    readonly body?: StartUploadInput;
  }, options?: CallOptions): Answer<UploadTicket> {
    return this.#http.json({ method: 'POST', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/start_upload`, body: input.body, options });
  }

  /**
   * Send a webhook.test event to a webhook. POST /v1/webhooks/{webhook_id}/test
   * @example
   * await kinora.testWebhook({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' });
   */
  testWebhook(input: {
    /** Webhook */
    readonly webhook_id: string;
  }, options?: CallOptions): Answer<Delivery> {
    return this.#http.json({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}/test`, options });
  }

  /**
   * Change a blacklist. PATCH /v1/blacklists/{blacklist_id}
   * @example
   * await kinora.updateBlacklist({ blacklist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Mild swearing' } });
   */
  updateBlacklist(input: {
    /** Blacklist */
    readonly blacklist_id: string;
    readonly body: BlacklistChange;
  }, options?: CallOptions): Answer<Blacklist> {
    return this.#http.json({ method: 'PATCH', path: `/v1/blacklists/${encodeURIComponent(input.blacklist_id)}`, body: input.body, options });
  }

  /**
   * Change a branding. PATCH /v1/brandings/{branding_id}
   * @example
   * await kinora.updateBranding({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Evening news' } });
   */
  updateBranding(input: {
    /** Branding */
    readonly branding_id: string;
    readonly body: BrandingChange;
  }, options?: CallOptions): Answer<Branding> {
    return this.#http.json({ method: 'PATCH', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}`, body: input.body, options });
  }

  /**
   * Change a branding clip. PATCH /v1/branding_clips/{clip_id}
   * @example
   * await kinora.updateBrandingClip({ clip_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Opening' } });
   */
  updateBrandingClip(input: {
    /** Branding clip */
    readonly clip_id: string;
    readonly body: BrandingClipChange;
  }, options?: CallOptions): Answer<BrandingClip> {
    return this.#http.json({ method: 'PATCH', path: `/v1/branding_clips/${encodeURIComponent(input.clip_id)}`, body: input.body, options });
  }

  /**
   * Change a branding overlay. PATCH /v1/branding_overlays/{overlay_id}
   * @example
   * await kinora.updateBrandingOverlay({ overlay_id: '019a9d2f-2b02-7b12-8c02-0c7b6a5d4e02', body: { name: 'Logo' } });
   */
  updateBrandingOverlay(input: {
    /** Branding overlay */
    readonly overlay_id: string;
    readonly body: BrandingOverlayChange;
  }, options?: CallOptions): Answer<BrandingOverlay> {
    return this.#http.json({ method: 'PATCH', path: `/v1/branding_overlays/${encodeURIComponent(input.overlay_id)}`, body: input.body, options });
  }

  /**
   * Change a branding subtitle style. PATCH /v1/branding_subtitle_styles/{style_id}
   * @example
   * await kinora.updateBrandingSubtitleStyle({ style_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Bold white' } });
   */
  updateBrandingSubtitleStyle(input: {
    /** Branding subtitle style */
    readonly style_id: string;
    readonly body: BrandingSubtitleStyleChange;
  }, options?: CallOptions): Answer<BrandingSubtitleStyle> {
    return this.#http.json({ method: 'PATCH', path: `/v1/branding_subtitle_styles/${encodeURIComponent(input.style_id)}`, body: input.body, options });
  }

  /**
   * Change a branding variant. PATCH /v1/brandings/{branding_id}/variants/{variant_id}
   * @example
   * await kinora.updateBrandingVariant({ branding_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', variant_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { aspect_ratio: '9:16' } });
   */
  updateBrandingVariant(input: {
    /** Branding */
    readonly branding_id: string;
    /** Branding variant */
    readonly variant_id: string;
    readonly body: BrandingVariantChange;
  }, options?: CallOptions): Answer<BrandingVariant> {
    return this.#http.json({ method: 'PATCH', path: `/v1/brandings/${encodeURIComponent(input.branding_id)}/variants/${encodeURIComponent(input.variant_id)}`, body: input.body, options });
  }

  /**
   * Change a collection. PATCH /v1/collections/{collection_id}
   * @example
   * await kinora.updateCollection({ collection_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Interviews' } });
   */
  updateCollection(input: {
    /** Collection */
    readonly collection_id: string;
    readonly body: CollectionChange;
  }, options?: CallOptions): Answer<Collection> {
    return this.#http.json({ method: 'PATCH', path: `/v1/collections/${encodeURIComponent(input.collection_id)}`, body: input.body, options });
  }

  /**
   * Change a dictionary. PATCH /v1/dictionaries/{dictionary_id}
   * @example
   * await kinora.updateDictionary({ dictionary_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Newsroom' } });
   */
  updateDictionary(input: {
    /** Dictionary */
    readonly dictionary_id: string;
    readonly body: DictionaryChange;
  }, options?: CallOptions): Answer<Dictionary> {
    return this.#http.json({ method: 'PATCH', path: `/v1/dictionaries/${encodeURIComponent(input.dictionary_id)}`, body: input.body, options });
  }

  /**
   * Change an external storage. PATCH /v1/external_storages/{external_storage_id}
   * @example
   * await kinora.updateExternalStorage({ external_storage_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Archive' } });
   */
  updateExternalStorage(input: {
    /** External storage */
    readonly external_storage_id: string;
    readonly body: ExternalStorageChange;
  }, options?: CallOptions): Answer<ExternalStorage> {
    return this.#http.json({ method: 'PATCH', path: `/v1/external_storages/${encodeURIComponent(input.external_storage_id)}`, body: input.body, options });
  }

  /**
   * Say whose face it is. PATCH /v1/assets/{asset_id}/faces/{face_id}
   * @example
   * await kinora.updateFace({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', face_id: '019a9d2e-73dd-7c24-9b3e-2e6f4c9a0d31', body: { name: 'Ana Ruiz', speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01' } });
   */
  updateFace(input: {
    /** Asset */
    readonly asset_id: string;
    /** Face */
    readonly face_id: string;
    readonly body: FaceUpdate;
  }, options?: CallOptions): Answer<Face> {
    return this.#http.json({ method: 'PATCH', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/faces/${encodeURIComponent(input.face_id)}`, body: input.body, options });
  }

  /**
   * Edit a segment. PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}
   * @example
   * await kinora.updateSegment({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44', body: { text: 'Welcome to Kinora!' } });
   */
  updateSegment(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    /** Segment */
    readonly segment_id: string;
    readonly body: UpdateSegmentInput;
  }, options?: CallOptions): Answer<Segment> {
    return this.#http.json({ method: 'PATCH', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments/${encodeURIComponent(input.segment_id)}`, body: input.body, options });
  }

  /**
   * Edit many segments, all or none. PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments
   * @example
   * await kinora.updateSegments({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10', body: { segments: [{ segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44', text: 'Welcome to Kinora!' }] } });
   */
  updateSegments(input: {
    /** Asset */
    readonly asset_id: string;
    /** Transcription */
    readonly transcription_id: string;
    readonly body: UpdateSegmentsInput;
  }, options?: CallOptions): Answer<SegmentsVersion> {
    return this.#http.json({ method: 'PATCH', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/transcriptions/${encodeURIComponent(input.transcription_id)}/segments`, body: input.body, options });
  }

  /**
   * Rename a speaker. PATCH /v1/assets/{asset_id}/speakers/{speaker_id}
   * @example
   * await kinora.updateSpeaker({ asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11', speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01', body: { name: 'Ana Ruiz Gil' } });
   */
  updateSpeaker(input: {
    /** Asset */
    readonly asset_id: string;
    /** Speaker */
    readonly speaker_id: string;
    readonly body: SpeakerUpdate;
  }, options?: CallOptions): Answer<Speaker> {
    return this.#http.json({ method: 'PATCH', path: `/v1/assets/${encodeURIComponent(input.asset_id)}/speakers/${encodeURIComponent(input.speaker_id)}`, body: input.body, options });
  }

  /**
   * Change a template. PATCH /v1/templates/{template_id}
   * @example
   * await kinora.updateTemplate({ template_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'News in English' } });
   */
  updateTemplate(input: {
    /** Template */
    readonly template_id: string;
    readonly body: TemplateChange;
  }, options?: CallOptions): Answer<Template> {
    return this.#http.json({ method: 'PATCH', path: `/v1/templates/${encodeURIComponent(input.template_id)}`, body: input.body, options });
  }

  /**
   * Change a view. PATCH /v1/views/{view_id}
   * @example
   * await kinora.updateView({ view_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'Good news of November' } });
   */
  updateView(input: {
    /** View */
    readonly view_id: string;
    readonly body: ViewChange;
  }, options?: CallOptions): Answer<View> {
    return this.#http.json({ method: 'PATCH', path: `/v1/views/${encodeURIComponent(input.view_id)}`, body: input.body, options });
  }

  /**
   * Change a webhook. PATCH /v1/webhooks/{webhook_id}
   * @example
   * await kinora.updateWebhook({ webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { url: 'https://example.com/kinora-events' } });
   */
  updateWebhook(input: {
    /** Webhook */
    readonly webhook_id: string;
    readonly body: WebhookChange;
  }, options?: CallOptions): Answer<Webhook> {
    return this.#http.json({ method: 'PATCH', path: `/v1/webhooks/${encodeURIComponent(input.webhook_id)}`, body: input.body, options });
  }

  /**
   * Change a whitelist. PATCH /v1/whitelists/{whitelist_id}
   * @example
   * await kinora.updateWhitelist({ whitelist_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55', body: { name: 'House names' } });
   */
  updateWhitelist(input: {
    /** Whitelist */
    readonly whitelist_id: string;
    readonly body: WhitelistChange;
  }, options?: CallOptions): Answer<Whitelist> {
    return this.#http.json({ method: 'PATCH', path: `/v1/whitelists/${encodeURIComponent(input.whitelist_id)}`, body: input.body, options });
  }
}

export type AdminExternalStorage = {
  /** External storage */
  readonly external_storage_id: string;
  /** Tenant that owns the storage */
  readonly tenant: string;
  /** Name; only its ends are shown */
  readonly name: string;
  readonly type: "aws_s3" | "azure" | "gcp_storage" | "dummy";
  readonly destination: Readonly<Record<string, string>> | null;
  /** Which credentials are set */
  readonly authentication_fields: readonly (string)[];
  /** When the storage was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the storage changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type AdminExternalStoragePage = {
  readonly data: readonly (AdminExternalStorage)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Analyses = {
  readonly transcription?: AnalysisOutcome;
  readonly camera_shoots?: AnalysisOutcome;
  readonly faces?: AnalysisOutcome;
  readonly ocr?: AnalysisOutcome;
  readonly audio_tracks?: AnalysisOutcome;
  readonly sound_descriptions?: AnalysisOutcome;
  readonly autocenter?: AnalysisOutcome;
  readonly metadata?: AnalysisOutcome;
  readonly word_lists?: AnalysisOutcome;
};

export type AnalysisOutcome = {
  /** `running`: It is under way.
`ready`: It is done; its result can be read.
`skipped`: Nobody asked for it, or the media has nothing of the kind.
`unavailable`: No engine does it here; `error` says so.
`failed`: It was tried and failed; `error` says why. */
  readonly status: "running" | "ready" | "skipped" | "unavailable" | "failed";
  readonly error: JobError | null;
};

export type Asset = {
  /** Asset */
  readonly asset_id: string;
  readonly filename: string;
  /** Display name; the file name when none was given */
  readonly name: string;
  readonly template_id: string | null;
  readonly collection_id: string | null;
  readonly language_id: string | null;
  readonly external_id: string | null;
  /** What was asked for */
  readonly mc_model: "normal" | "turbo";
  readonly processed_as: "normal" | "turbo" | null;
  readonly status: "created" | "uploading" | "processing" | "ready" | "failed" | "deleting";
  readonly stage: string | null;
  /** Of the processing; never falls */
  readonly progress: number;
  readonly estimated_ready_at: string | null;
  readonly error: JobError | null;
  readonly duration_ms: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly frame_rate: number | null;
  readonly start_timecode: string | null;
  readonly audio_channels: number | null;
  readonly audio_track: number | null;
  /** Audio tracks of the file, and why one of them is transcribed; empty until it was looked at */
  readonly source_tracks: readonly (SourceTrack)[];
  readonly size_bytes: number | null;
  /** What became of each analysis; empty until processing begins. `transcription`: What is said. `camera_shoots`: Where the camera changes. `faces`: Whose faces are seen, and when. `ocr`: Text that is seen; where the template asks for it. `audio_tracks`: The audio tracks of the source. `sound_descriptions`: What is heard beside speech. `autocenter`: Where the picture happens, for framing. `metadata`: Entities, sentiment, classification and key phrases. `word_lists`: Blacklists, whitelists and dictionaries of the template, applied to what is said. */
  readonly analyses: Analyses;
  /** What became of the languages that the template asks to translate into or to speak */
  readonly translations: readonly (LanguageOutcome)[];
  /** What became of the languages that the template asks to speak */
  readonly voice_overs: readonly (LanguageOutcome)[];
  /** Languages that have a transcription */
  readonly languages: readonly (string)[];
  /** When the asset was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the asset changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type AssetInput = {
  /** Name of the file */
  readonly filename: string;
  /** Custom display name */
  readonly name?: string | null;
  /** Template to apply */
  readonly template_id?: string | null;
  /** Collection to assign to */
  readonly collection_id?: string | null;
  /** Original language; 422 where no engine here understands it. Detected when absent, where the engine can; where it can not, and doubts, `analyses.transcription` of the asset has failed with `language_uncertain` */
  readonly language_id?: string | null;
  /** Audio track of the file to transcribe, from 1; the job fails where the file has no such track. When absent: that in the original language, else no commentary, else the default, else the one with most channels, else the first */
  readonly audio_track?: number | null;
  /** Caller's own id, unique per tenant */
  readonly external_id?: string | null;
  /** Processing mode */
  readonly mc_model?: "normal" | "turbo" | null;
};

export type AssetPage = {
  readonly data: readonly (Asset)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type AudioTrack = {
  /** Audio track */
  readonly audio_track_id: string;
  /** Asset */
  readonly asset_id: string;
  readonly language_id: string | null;
  readonly source: "original" | "voice_over";
  /** As ffmpeg names it */
  readonly codec: string;
  readonly channels: number;
  /** Samples a second */
  readonly sample_rate: number;
  /** Duration, milliseconds */
  readonly duration_ms: number;
  readonly size_bytes: number;
  /** Of a voice over: its translation is another now, so that a voice over job makes a new version */
  readonly stale: boolean;
  readonly video: MuxedVideo | null;
  /** When the track was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the track changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type AudioTrackPage = {
  readonly data: readonly (AudioTrack)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type AutocenterPage = {
  readonly data: readonly (AutocenterSpan)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type AutocenterSpan = {
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  /** Mean of the path, from the left of the picture */
  readonly x: number;
  /** The same, from its top */
  readonly y: number;
  /** By time; straight between points, still before the first and after the last */
  readonly path: readonly (PathPoint)[];
  /** What decided it; picture is its middle */
  readonly source: "center_of_interest" | "face" | "motion" | "picture";
  readonly confidence: number | null;
};

export type AwsAccess = {
  /** Generated; of this storage alone. It is no secret */
  readonly external_id: string;
  /** Who may assume the role: copy it to the role of iam_role_arn */
  readonly trust_policy: {
    readonly Version: string;
    readonly Statement: readonly (Readonly<Record<string, unknown>>)[];
  };
  /** What the role may do: copy it to the role, too */
  readonly permission_policy: {
    readonly Version: string;
    readonly Statement: readonly (Readonly<Record<string, unknown>>)[];
  };
};

export type Blacklist = {
  /** Blacklist */
  readonly blacklist_id: string;
  /** Name */
  readonly name: string;
  /** Words that are filtered from transcriptions, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words: readonly (string)[];
  /** Language of the words */
  readonly language_id: string;
  readonly template_id: string | null;
  /** When the blacklist was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the blacklist changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BlacklistChange = {
  /** Name */
  readonly name?: string;
  /** Words that are filtered from transcriptions, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words?: readonly (string)[];
  /** Language of the words */
  readonly language_id?: string;
  /** Template that uses the list; it has it in `blacklist_ids` */
  readonly template_id?: string | null;
};

export type BlacklistInput = {
  /** Name */
  readonly name: string;
  /** Words that are filtered from transcriptions, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words: readonly (string)[];
  /** Language of the words */
  readonly language_id: string;
  /** Template that uses the list; it has it in `blacklist_ids` */
  readonly template_id?: string | null;
};

export type BlacklistPage = {
  readonly data: readonly (BlacklistSummary)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type BlacklistSummary = {
  /** Blacklist */
  readonly blacklist_id: string;
  /** Name */
  readonly name: string;
  /** Language of the words */
  readonly language_id: string;
  readonly template_id: string | null;
  /** When the blacklist was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the blacklist changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type Box = {
  /** Left edge */
  readonly x: number;
  /** Upper edge */
  readonly y: number;
  /** Width */
  readonly width: number;
  /** Height */
  readonly height: number;
};

export type Branding = {
  /** Branding */
  readonly branding_id: string;
  /** Name */
  readonly name: string;
  readonly subtitle_style_id: string | null;
  /** When the branding was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the branding changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BrandingChange = {
  /** Name */
  readonly name?: string;
  /** Style of burned-in subtitles */
  readonly subtitle_style_id?: string | null;
};

export type BrandingClip = {
  /** Branding clip */
  readonly clip_id: string;
  /** Name */
  readonly name: string;
  /** Name of the file */
  readonly filename: string;
  readonly status: "created" | "uploading" | "ready" | "failed";
  readonly media_type: "image" | "video" | null;
  readonly size_bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly frame_rate: number | null;
  readonly has_audio: boolean | null;
  readonly preview_url: string | null;
  readonly preview_expires_at: string | null;
  readonly error: JobError | null;
  /** When the branding clip was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the branding clip changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BrandingClipChange = {
  /** Name */
  readonly name?: string;
  /** Name of the file */
  readonly filename?: string;
};

export type BrandingClipInput = {
  /** Name */
  readonly name: string;
  /** Name of the file */
  readonly filename: string;
};

export type BrandingClipPage = {
  readonly data: readonly (BrandingClip)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type BrandingClipUploadJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "branding_upload";
  /** The branding clip */
  readonly clip_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: Readonly<Record<string, unknown>> | null;
  })[];
  readonly result: {
    readonly media_type: "image" | "video";
    readonly size_bytes: number;
    /** Width as displayed, pixels */
    readonly width: number;
    /** Height as displayed, pixels */
    readonly height: number;
    readonly duration_ms: number | null;
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type BrandingInput = {
  /** Name */
  readonly name: string;
  /** Style of burned-in subtitles */
  readonly subtitle_style_id?: string | null;
};

export type BrandingOverlay = {
  /** Branding overlay */
  readonly overlay_id: string;
  /** Name */
  readonly name: string;
  /** Name of the file */
  readonly filename: string;
  readonly status: "created" | "uploading" | "ready" | "failed";
  readonly media_type: "image" | "video" | null;
  readonly size_bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly frame_rate: number | null;
  readonly has_audio: boolean | null;
  readonly preview_url: string | null;
  readonly preview_expires_at: string | null;
  readonly error: JobError | null;
  /** When the branding overlay was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the branding overlay changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BrandingOverlayChange = {
  /** Name */
  readonly name?: string;
  /** Name of the file */
  readonly filename?: string;
};

export type BrandingOverlayInput = {
  /** Name */
  readonly name: string;
  /** Name of the file */
  readonly filename: string;
};

export type BrandingOverlayPage = {
  readonly data: readonly (BrandingOverlay)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type BrandingOverlayUploadJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "branding_upload";
  /** The branding overlay */
  readonly overlay_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: Readonly<Record<string, unknown>> | null;
  })[];
  readonly result: {
    readonly media_type: "image" | "video";
    readonly size_bytes: number;
    /** Width as displayed, pixels */
    readonly width: number;
    /** Height as displayed, pixels */
    readonly height: number;
    readonly duration_ms: number | null;
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type BrandingPage = {
  readonly data: readonly (Branding)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type BrandingSubtitleStyle = {
  /** Branding subtitle style */
  readonly style_id: string;
  /** Name */
  readonly name: string;
  /** Font family: Inter, Open Sans, Roboto, Lato, DejaVu Sans, DejaVu Sans Mono, or one of Noto. Another is shown as Inter, and a clip says so in its `notes` */
  readonly font_family: string;
  /** Colour of the text, `#RRGGBB` */
  readonly text_color: string;
  /** Size of the font, pixels of a 1080-line picture */
  readonly font_size_px: number;
  /** 400 is regular, 700 bold */
  readonly font_weight: number;
  /** Times the size of the font */
  readonly line_height: number;
  /** Distance from the lower edge, as part of the video height, 0 to 1 */
  readonly vertical_position_pct: number;
  /** Radius of the blur, pixels */
  readonly shadow_blur: number;
  readonly shadow_color: string | null;
  /** Opacity of the shadow, 0 to 1 */
  readonly shadow_opacity_pct: number;
  /** Shadow to the right, pixels of a 1080-line picture */
  readonly shadow_offset_x_px: number;
  /** Shadow downwards, pixels of a 1080-line picture */
  readonly shadow_offset_y_px: number;
  readonly background_color: string | null;
  /** Opacity of the box, 0 to 1 */
  readonly background_opacity: number;
  /** Colour of the outline, `#RRGGBB` */
  readonly stroke_color: string;
  /** Thickness of the outline, pixels of a 1080-line picture */
  readonly stroke_thickness_px: number;
  /** When the branding subtitle style was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the branding subtitle style changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BrandingSubtitleStyleChange = {
  /** Name */
  readonly name?: string;
  /** Font family: Inter, Open Sans, Roboto, Lato, DejaVu Sans, DejaVu Sans Mono, or one of Noto. Another is shown as Inter, and a clip says so in its `notes` */
  readonly font_family?: string;
  /** Colour of the text, `#RRGGBB` */
  readonly text_color?: string;
  /** Size of the font, pixels of a 1080-line picture */
  readonly font_size_px?: number | null;
  /** 400 is regular, 700 bold */
  readonly font_weight?: number | null;
  /** Times the size of the font */
  readonly line_height?: number | null;
  /** Distance from the lower edge, as part of the video height, 0 to 1 */
  readonly vertical_position_pct?: number | null;
  /** Radius of the blur, pixels */
  readonly shadow_blur?: number | null;
  /** Colour of the shadow; none without it, `#RRGGBB` */
  readonly shadow_color?: string | null;
  /** Opacity of the shadow, 0 to 1 */
  readonly shadow_opacity_pct?: number | null;
  /** Shadow to the right, pixels of a 1080-line picture */
  readonly shadow_offset_x_px?: number | null;
  /** Shadow downwards, pixels of a 1080-line picture */
  readonly shadow_offset_y_px?: number | null;
  /** Colour of the box behind the text; none without it, `#RRGGBB` */
  readonly background_color?: string | null;
  /** Opacity of the box, 0 to 1 */
  readonly background_opacity?: number | null;
  /** Colour of the outline, `#RRGGBB` */
  readonly stroke_color?: string | null;
  /** Thickness of the outline, pixels of a 1080-line picture */
  readonly stroke_thickness_px?: number | null;
};

export type BrandingSubtitleStyleInput = {
  /** Name */
  readonly name: string;
  /** Font family: Inter, Open Sans, Roboto, Lato, DejaVu Sans, DejaVu Sans Mono, or one of Noto. Another is shown as Inter, and a clip says so in its `notes` */
  readonly font_family: string;
  /** Colour of the text, `#RRGGBB` */
  readonly text_color: string;
  /** Size of the font, pixels of a 1080-line picture */
  readonly font_size_px?: number | null;
  /** 400 is regular, 700 bold */
  readonly font_weight?: number | null;
  /** Times the size of the font */
  readonly line_height?: number | null;
  /** Distance from the lower edge, as part of the video height, 0 to 1 */
  readonly vertical_position_pct?: number | null;
  /** Radius of the blur, pixels */
  readonly shadow_blur?: number | null;
  /** Colour of the shadow; none without it, `#RRGGBB` */
  readonly shadow_color?: string | null;
  /** Opacity of the shadow, 0 to 1 */
  readonly shadow_opacity_pct?: number | null;
  /** Shadow to the right, pixels of a 1080-line picture */
  readonly shadow_offset_x_px?: number | null;
  /** Shadow downwards, pixels of a 1080-line picture */
  readonly shadow_offset_y_px?: number | null;
  /** Colour of the box behind the text; none without it, `#RRGGBB` */
  readonly background_color?: string | null;
  /** Opacity of the box, 0 to 1 */
  readonly background_opacity?: number | null;
  /** Colour of the outline, `#RRGGBB` */
  readonly stroke_color?: string | null;
  /** Thickness of the outline, pixels of a 1080-line picture */
  readonly stroke_thickness_px?: number | null;
};

export type BrandingSubtitleStylePage = {
  readonly data: readonly (BrandingSubtitleStyle)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type BrandingVariant = {
  /** Branding variant */
  readonly variant_id: string;
  /** Branding */
  readonly branding_id: string;
  /** Aspect ratio of the clips that the variant is for; one variant each */
  readonly aspect_ratio: "9:16" | "1:1" | "4:5" | "16:9" | "4:3" | "3:4";
  readonly overlay_id: string | null;
  readonly intro_id: string | null;
  readonly outro_id: string | null;
  /** When the branding variant was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the branding variant changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type BrandingVariantChange = {
  /** Aspect ratio of the clips that the variant is for; one variant each */
  readonly aspect_ratio?: "9:16" | "1:1" | "4:5" | "16:9" | "4:3" | "3:4";
  /** Overlay on the whole clip, as large as fits and in its middle */
  readonly overlay_id?: string | null;
  /** Branding clip before the clip */
  readonly intro_id?: string | null;
  /** Branding clip after the clip */
  readonly outro_id?: string | null;
};

export type BrandingVariantInput = {
  /** Aspect ratio of the clips that the variant is for; one variant each */
  readonly aspect_ratio: "9:16" | "1:1" | "4:5" | "16:9" | "4:3" | "3:4";
  /** Overlay on the whole clip, as large as fits and in its middle */
  readonly overlay_id?: string | null;
  /** Branding clip before the clip */
  readonly intro_id?: string | null;
  /** Branding clip after the clip */
  readonly outro_id?: string | null;
};

export type BrandingVariantPage = {
  readonly data: readonly (BrandingVariant)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type CameraShot = {
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  readonly start_frame: number | null;
  readonly end_frame: number | null;
  /** How the shot begins */
  readonly transition: "cut" | "dissolve" | "fade" | "start";
  readonly confidence: number | null;
};

export type CameraShotPage = {
  readonly data: readonly (CameraShot)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type CenterOfInterest = {
  /** Center of interest */
  readonly coi_id: string;
  /** Asset */
  readonly asset_id: string;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  /** Centre, from the left of the picture */
  readonly x: number;
  /** Centre, from its top */
  readonly y: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly label: string | null;
  /** When it was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When it changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type CenterOfInterestInput = {
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  /** Centre, from the left of the picture */
  readonly x: number;
  /** Centre, from its top */
  readonly y: number;
  /** Width of what is of interest; with height, and within the picture */
  readonly width?: number | null;
  /** Height of what is of interest; with width */
  readonly height?: number | null;
  /** Name for people */
  readonly label?: string | null;
};

export type CenterOfInterestPage = {
  readonly data: readonly (CenterOfInterest)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Channel = {
  /** Channel */
  readonly channel_id: string;
  readonly name: string;
  readonly source: ChannelSource;
  readonly template_id: string | null;
  readonly collection_id: string | null;
  readonly language_id: string | null;
  /** idle: nothing arrives from the source */
  readonly status: "idle" | "live";
  readonly playback_url: string | null;
  /** When the channel was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the channel changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type ChannelAssetInput = {
  /** Caller's own id, unique per tenant */
  readonly external_id?: string | null;
};

export type ChannelInput = {
  /** Name */
  readonly name: string;
  readonly source: ChannelSourceInput;
  /** Template of its assets */
  readonly template_id?: string | null;
  /** Collection of its assets */
  readonly collection_id?: string | null;
  /** Language that is spoken */
  readonly language_id?: string | null;
};

export type ChannelPage = {
  readonly data: readonly (Channel)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type ChannelSource = {
  readonly protocol: "rtmp" | "srt" | "hls";
  /** push: the source sends to us; pull: we fetch from its address */
  readonly mode: "push" | "pull";
  readonly url: string | null;
  readonly has_passphrase: boolean;
};

export type ChannelSourceInput = {
  readonly protocol: "rtmp" | "srt" | "hls";
  /** push: the source sends to us; pull: we fetch from its address */
  readonly mode: "push" | "pull";
  /** Address to pull from: rtmp(s), srt or http(s), without credentials */
  readonly url?: string | null;
  /** Of an SRT stream. Kept encrypted and never shown */
  readonly passphrase?: string | null;
};

export type ClipsJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "clips";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** Clip that this item is for */
    readonly video_clip_id: string;
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: {
      /** GET the clip here */
      readonly url: string;
      /** When the address stops working; ISO 8601, UTC */
      readonly expires_at: string;
      /** Chunks of the clip that were rendered for this job */
      readonly rendered: number;
      /** Chunks that are as they were, which an earlier job had rendered */
      readonly reused: number;
    } | null;
  })[];
  readonly result: {
    readonly video_clip_ids: readonly (string)[];
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type Collection = {
  /** Collection */
  readonly collection_id: string;
  /** Name */
  readonly name: string;
  readonly template_id: string | null;
  /** When the collection was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the collection changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type CollectionAssetsInput = {
  /** Assets */
  readonly asset_ids: readonly (string)[];
};

export type CollectionChange = {
  /** Name */
  readonly name?: string;
  /** Template of assets that are created in it without one */
  readonly template_id?: string | null;
};

export type CollectionInput = {
  /** Name */
  readonly name: string;
  /** Template of assets that are created in it without one */
  readonly template_id?: string | null;
};

export type CollectionPage = {
  readonly data: readonly (Collection)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type CreateSegmentsInput = {
  readonly segments: readonly (NewSegment)[];
};

export type CreateVideoClipsInput = {
  readonly video_clips: readonly (VideoClipInput)[];
};

export type Deliveries = {
  readonly data: readonly (Delivery)[];
};

export type Delivery = {
  /** Webhook */
  readonly webhook_id: string;
  /** Event */
  readonly event_id: string;
  readonly event_type: "asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled" | "webhook.test";
  /** canceled where the webhook was disabled or deleted, or the event expired, before it arrived */
  readonly status: "pending" | "delivered" | "failed" | "canceled";
  /** Oldest first; the last 50 */
  readonly attempts: readonly ({
    /** When the request was sent; ISO 8601, UTC */
    readonly at: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    readonly error: string | null;
  })[];
  readonly next_attempt_at: string | null;
  /** When the first attempt was due; ISO 8601, UTC */
  readonly created_at: string;
};

export type DeliveryPage = {
  readonly data: readonly (Delivery)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Dictionary = {
  /** Dictionary */
  readonly dictionary_id: string;
  /** Name */
  readonly name: string;
  /** Expansions of each term; terms, and the expansions of each, differ in more than case; 300 KB at most, as UTF-8 JSON */
  readonly dictionary: Readonly<Record<string, readonly (string)[]>>;
  readonly template_id: string | null;
  /** When the dictionary was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the dictionary changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type DictionaryChange = {
  /** Name */
  readonly name?: string;
  /** Expansions of each term; terms, and the expansions of each, differ in more than case; 300 KB at most, as UTF-8 JSON */
  readonly dictionary?: Readonly<Record<string, readonly (string)[]>>;
  /** Template that uses the dictionary; it has it in `domain_dictionary_ids` */
  readonly template_id?: string | null;
};

export type DictionaryInput = {
  /** Name */
  readonly name: string;
  /** Expansions of each term; terms, and the expansions of each, differ in more than case; 300 KB at most, as UTF-8 JSON */
  readonly dictionary: Readonly<Record<string, readonly (string)[]>>;
  /** Template that uses the dictionary; it has it in `domain_dictionary_ids` */
  readonly template_id?: string | null;
};

export type DictionaryPage = {
  readonly data: readonly (DictionarySummary)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type DictionarySummary = {
  /** Dictionary */
  readonly dictionary_id: string;
  /** Name */
  readonly name: string;
  readonly template_id: string | null;
  /** When the dictionary was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the dictionary changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type Download = {
  /** GET the file here */
  readonly url: string;
  /** When the address stops working; ISO 8601, UTC */
  readonly expires_at: string;
};

export type DownloadInput = {
  /** Clips of the asset */
  readonly video_ids: readonly (string)[];
};

export type DownloadList = {
  readonly data: readonly ({
    /** Clip */
    readonly video_clip_id: string;
    /** GET the clip here */
    readonly url: string;
    /** When the address stops working; ISO 8601, UTC */
    readonly expires_at: string;
  })[];
};

export type Event = {
  /** Event; the `webhook-id` of its deliveries */
  readonly event_id: string;
  /** `asset.created`: The asset exists; its upload may begin.
`asset.processing`: The upload is complete and is processed.
`asset.ready`: Processing ended well: transcription and subtitles can be read.
`asset.failed`: Processing ended; `error` says why, and what to do.
`asset.deleted`: The asset is gone from lists; its media follow within minutes.
`job.created`: The job is queued.
`job.succeeded`: The job did all that it was to do.
`job.partially_succeeded`: Some items of the job failed; the others are done.
`job.failed`: The job ended without its result; `error` says why, and what to do.
`job.canceled`: The job was ended before it was done.
`webhook.test`: Somebody asked for a test of the webhook. */
  readonly type: "asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled" | "webhook.test";
  /** When it happened; ISO 8601, UTC */
  readonly timestamp: string;
  /** What it happened to, as it was then: `asset` of asset.*, `job` of job.* */
  readonly data: {
    readonly asset?: Asset;
    /** A job of any kind; `type` tells which */
    readonly job?: Job;
    /** Webhook that is tested */
    readonly webhook_id?: string;
  };
};

export type EventPage = {
  readonly data: readonly (Event)[];
  readonly next_after: string | null;
  /** Whether there is more at this moment */
  readonly has_more: boolean;
};

export type ExportInput = {
  /** Where to write; see /v1/external_storages */
  readonly external_storage_id: string;
  /** true: replaces whatever is at the path. Otherwise an earlier export of the same thing is replaced, and nothing else */
  readonly overwrite?: boolean | null;
};

export type ExportJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "export";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** Clip that is exported */
  readonly video_clip_id?: string;
  /** Transcription that is exported */
  readonly transcription_id?: string;
  /** Its version, that of the moment of the request */
  readonly version?: number;
  /** Metadata that are exported */
  readonly metadata_id?: string;
  readonly format?: "vtt" | "srt" | "stl" | "json" | "metadata" | "clip";
  /** Storage that is written to */
  readonly external_storage_id?: string;
  /** Where in the storage: the key of the object */
  readonly path?: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: Readonly<Record<string, unknown>> | null;
  })[];
  readonly result: {
    /** Storage that was written to */
    readonly external_storage_id: string;
    /** Where in the storage: the key of the object */
    readonly path: string;
    readonly location: string | null;
    /** What was written, bytes; for dummy what would have been */
    readonly size_bytes: number;
    /** SHA-256 of the file, hexadecimal */
    readonly sha256: string;
    readonly confirmed: {
      readonly algorithm: "SHA256" | "CRC32" | "MD5";
      /** Whether the storage compared the whole, or each part as it came */
      readonly of: "file" | "parts";
      readonly value: string | null;
    } | null;
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type ExternalStorage = {
  /** External storage */
  readonly external_storage_id: string;
  /** Name */
  readonly name: string;
  /** dummy accepts exports and drops them */
  readonly type: "aws_s3" | "azure" | "gcp_storage" | "dummy";
  readonly destination: StorageDestination | null;
  readonly export_path: string | null;
  /** Members of authentication_data that are set */
  readonly authentication_fields: readonly (string)[];
  /** Members that the type needs and that are not set; nothing is exported until there are none */
  readonly missing: readonly ("destination" | "authentication_data")[];
  readonly aws_access: AwsAccess | null;
  /** When the external storage was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the external storage changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type ExternalStorageChange = {
  /** Name */
  readonly name?: string;
  /** dummy accepts exports and drops them */
  readonly type?: "aws_s3" | "azure" | "gcp_storage" | "dummy";
  /** Depends on type */
  readonly destination?: {
    /** Bucket (aws_s3, gcp_storage) */
    readonly bucket_name?: string;
    /** Region of the bucket (aws_s3) */
    readonly region?: string;
    /** Address of the container, without its token (azure) */
    readonly blob_url?: string;
  } | null;
  /** Path template; variables {asset_id}, {asset_external_id}, {video_clip_id}, {language}, {format}. What it lacks to tell files apart is added to its end, and the ending of the format. When absent: kinora/{asset_id}/ */
  readonly export_path?: string | null;
  /** Depends on type. Kept encrypted and never shown; null removes it */
  readonly authentication_data?: {
    /** Role that is assumed to write (aws_s3) */
    readonly iam_role_arn?: string;
    /** Shared access signature (azure) */
    readonly sas_token?: string;
    /** Service account document, as the provider issues it (gcp_storage) */
    readonly credentials?: {
      readonly client_email: string;
      readonly private_key: string;
    } & Readonly<Record<string, string>>;
  } | null;
};

export type ExternalStorageInput = {
  /** Name */
  readonly name: string;
  /** dummy accepts exports and drops them */
  readonly type: "aws_s3" | "azure" | "gcp_storage" | "dummy";
  /** Depends on type */
  readonly destination?: {
    /** Bucket (aws_s3, gcp_storage) */
    readonly bucket_name?: string;
    /** Region of the bucket (aws_s3) */
    readonly region?: string;
    /** Address of the container, without its token (azure) */
    readonly blob_url?: string;
  } | null;
  /** Path template; variables {asset_id}, {asset_external_id}, {video_clip_id}, {language}, {format}. What it lacks to tell files apart is added to its end, and the ending of the format. When absent: kinora/{asset_id}/ */
  readonly export_path?: string | null;
  /** Depends on type. Kept encrypted and never shown; null removes it */
  readonly authentication_data?: {
    /** Role that is assumed to write (aws_s3) */
    readonly iam_role_arn?: string;
    /** Shared access signature (azure) */
    readonly sas_token?: string;
    /** Service account document, as the provider issues it (gcp_storage) */
    readonly credentials?: {
      readonly client_email: string;
      readonly private_key: string;
    } & Readonly<Record<string, string>>;
  } | null;
};

export type ExternalStoragePage = {
  readonly data: readonly (ExternalStorage)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Face = {
  /** Face: one person in this asset */
  readonly face_id: string;
  readonly name: string | null;
  readonly speaker_id: string | null;
  readonly confidence: number | null;
  /** By time; the face moves little within one */
  readonly appearances: readonly ({
    /** Start, milliseconds */
    readonly start_ms: number;
    /** End, milliseconds */
    readonly end_ms: number;
    readonly box: Box;
  })[];
  readonly thumbnail: {
    /** Presigned address of a JPEG, 240 × 240 pixels */
    readonly url: string;
    /** When the address stops working; ISO 8601, UTC */
    readonly expires_at: string;
  } | null;
};

export type FacePage = {
  readonly data: readonly (Face)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type FaceUpdate = {
  readonly name?: string | null;
  readonly speaker_id?: string | null;
};

export type FilterCondition = {
  /** Filter of `GET /v1/assets`, or created_at */
  readonly field: "collection_id" | "entities" | "sentiment" | "classification" | "speakers" | "language_id" | "created_at";
  /** created_at takes gte and lte; the others eq, in (any of) and all (each of) */
  readonly op: "eq" | "in" | "all" | "gte" | "lte";
  /** A list for in and all, else one text; ISO 8601 for created_at */
  readonly value: string | readonly (string)[];
};

export type FinishUploadInput = {
  /** ETag of every uploaded part, in part order; with or without its quotes */
  readonly etags: readonly (string)[];
};

export type FitReport = {
  /** Audio track */
  readonly audio_track_id: string;
  /** Language that is spoken */
  readonly language_id: string;
  /** Translation that is spoken */
  readonly transcription_id: string;
  /** Its version */
  readonly transcription_version: number;
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  /** Segments that the last job spoke */
  readonly synthesised: number;
  /** Segments whose speech an earlier job had made */
  readonly kept: number;
  readonly segments: readonly (FittedSegment)[];
};

export type FittedSegment = {
  /** Segment of the translation */
  readonly segment_id: string;
  readonly original_segment_id: string | null;
  /** Where it begins, milliseconds */
  readonly start_ms: number;
  /** How long the original is spoken, milliseconds */
  readonly slot_ms: number;
  /** How long it is spoken here, milliseconds */
  readonly spoken_ms: number;
  /** How fast the voice speaks; 1 is its own pace */
  readonly rate: number;
  /** How much faster the speech was made afterwards; 1 leaves it as it is */
  readonly tempo: number;
  /** Of the silence after its slot, milliseconds */
  readonly borrowed_ms: number;
  /** What goes beyond slot and silence, milliseconds */
  readonly overflow_ms: number;
  /** How much later than its slot it ends, milliseconds */
  readonly drift_ms: number;
  /** By how much it begins later than its slot, since the segment before overflowed, milliseconds */
  readonly late_ms: number;
  /** How much of its end is faded out, since it would have kept the next waiting for too long, milliseconds */
  readonly cut_ms: number;
  /** Voice, as the engine names it */
  readonly voice: string;
};

export type FramePoint = {
  /** From the start of the clip; may lie between two milliseconds */
  readonly at_ms: number;
  /** Left edge of the frame, in pixels of the picture as displayed; may lie between two */
  readonly x: number;
  /** Its top */
  readonly y: number;
  /** Whether a shot begins here: nothing lies between it and the point before */
  readonly jump: boolean;
};

export type IngestJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "ingest";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** What the item is: the transcription, and what the template of the asset asks for */
    readonly kind: "transcription" | "ocr" | "word_lists" | "translation" | "voice_over";
    /** Language of a translation or voice over */
    readonly language_id?: string;
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: {
      /** Transcription that was made */
      readonly transcription_id?: string;
      /** Audio track that was made */
      readonly audio_track_id?: string;
    } | null;
  })[];
  readonly result: {
    /** What was made */
    readonly transcription_ids: readonly (string)[];
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type IngestJobPage = {
  readonly data: readonly (IngestJob)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Job = IngestJob | TranslationJob | VoiceOverJob | PartialRetranslationJob | ClipsJob | ExportJob | BrandingOverlayUploadJob | BrandingClipUploadJob | PublishJob;

export type JobError = {
  /** Stable code; see /problems */
  readonly code: "media_unreadable" | "media_limit_exceeded" | "audio_track_missing" | "language_unsupported" | "quota_exceeded" | "language_uncertain" | "engine_unavailable" | "storage_access_denied" | "storage_not_found" | "storage_object_exists" | "platform_auth_expired" | "platform_rejected" | "canceled" | "provider_unavailable" | "timed_out" | "internal_error";
  readonly title: string;
  /** What was found, and what to do */
  readonly detail: string;
  /** Whether creating the job again can succeed unchanged */
  readonly retryable: boolean;
};

export type JobPage = {
  readonly data: readonly (Job)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Language = {
  /** Language; the same in every environment */
  readonly language_id: string;
  /** BCP 47 tag */
  readonly code: string;
  /** English name */
  readonly name: string;
  readonly native_name: string;
  readonly direction: "ltr" | "rtl";
  /** What the engines of this environment do with the language */
  readonly features: readonly ("transcription" | "translation" | "voice_over")[];
};

export type LanguageOutcome = {
  /** Language that the template asks for */
  readonly language_id: string;
  /** `running`: It is under way.
`ready`: It is done; its result can be read.
`skipped`: Nobody asked for it, or the media has nothing of the kind.
`unavailable`: No engine does it here; `error` says so.
`failed`: It was tried and failed; `error` says why. */
  readonly status: "running" | "ready" | "skipped" | "unavailable" | "failed";
  readonly error: JobError | null;
};

export type LanguagePage = {
  readonly data: readonly (Language)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type MergeSegmentsInput = {
  readonly segment_ids: readonly (string)[];
};

export type Metadata = {
  /** Metadata */
  readonly metadata_id: string;
  /** Asset */
  readonly asset_id: string;
  readonly language_id: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly sentiment: {
    readonly label: "Negative" | "Neutral" | "Positive";
    /** Its share */
    readonly score: number;
  } | null;
  readonly classifications: readonly ({
    /** EBU Tech 3293 */
    readonly scheme: "EBU ContentCS";
    /** Code of the term, such as 3.1.6.8 */
    readonly code: string;
    readonly name: string;
    readonly confidence: number | null;
  })[];
  /** When it was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When it changed last; ISO 8601, UTC */
  readonly updated_at: string;
  readonly keywords: readonly ({
    readonly text: string;
    /** Within the asset */
    readonly relevance: number;
  })[];
  readonly entities: readonly ({
    readonly text: string;
    readonly type: "person" | "organization" | "location" | "date" | "product" | "event" | "other";
    readonly confidence: number | null;
    readonly mentions: readonly ({
      /** Start, milliseconds */
      readonly start_ms: number;
      /** End, milliseconds */
      readonly end_ms: number;
    })[];
  })[];
  /** One after another, without gaps */
  readonly chapters: readonly ({
    readonly title: string;
    readonly summary: string | null;
    /** Start, milliseconds */
    readonly start_ms: number;
    /** End, milliseconds */
    readonly end_ms: number;
  })[];
  /** What is written in the picture */
  readonly texts: readonly ({
    readonly text: string;
    /** Start, milliseconds */
    readonly start_ms: number;
    /** End, milliseconds */
    readonly end_ms: number;
    readonly box: Box;
    readonly confidence: number | null;
  })[];
};

export type MetadataPage = {
  readonly data: readonly (MetadataSummary)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type MetadataSummary = {
  /** Metadata */
  readonly metadata_id: string;
  /** Asset */
  readonly asset_id: string;
  readonly language_id: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly sentiment: {
    readonly label: "Negative" | "Neutral" | "Positive";
    /** Its share */
    readonly score: number;
  } | null;
  readonly classifications: readonly ({
    /** EBU Tech 3293 */
    readonly scheme: "EBU ContentCS";
    /** Code of the term, such as 3.1.6.8 */
    readonly code: string;
    readonly name: string;
    readonly confidence: number | null;
  })[];
  /** When it was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When it changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type MuxedVideo = {
  readonly media_type: string;
  readonly size_bytes: number;
};

export type NewSegment = {
  /** Text; up to 5000 characters, on any number of lines */
  readonly text: string;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, after the start, milliseconds */
  readonly end_ms: number;
  /** Speaker identifier: the id or the name of a speaker of the asset; a name that is new makes a speaker */
  readonly speaker: string;
  /** Segment of the transcribed language that this one translates */
  readonly original_segment_id?: string | null;
};

export type PartialRetranslationJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "partial_retranslation";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** Language that this item is for */
    readonly language_id: string;
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: {
      /** Translation that was changed */
      readonly transcription_id: string;
      /** Its version with the new segments */
      readonly version: number;
    } | null;
  })[];
  readonly result: {
    /** What was made */
    readonly transcription_ids: readonly (string)[];
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type PartialRetranslationJobInput = {
  /** Target languages */
  readonly language_ids: readonly (string)[];
  /** Segments of the transcribed language, or such as it had and the translations still have */
  readonly segment_ids: readonly (string)[];
};

export type PartialRetranslationJobPage = {
  readonly data: readonly (PartialRetranslationJob)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type PathPoint = {
  /** When, from the beginning of the media, milliseconds */
  readonly at_ms: number;
  /** Centre of the frame, from the left of the picture */
  readonly x: number;
  /** The same, from its top */
  readonly y: number;
};

export type Poster = {
  /** GET the picture here, a JPEG */
  readonly url: string;
  /** When it is seen in the media, milliseconds */
  readonly at_ms: number;
  readonly width: number;
  readonly height: number;
  /** When the address stops working; ISO 8601, UTC */
  readonly expires_at: string;
};

export type PublishInput = {
  readonly platform: "youtube" | "instagram" | "tiktok" | "linkedin" | "x" | "facebook";
  /** Text beside the clip */
  readonly caption?: string | null;
  /** When to publish, in the future; at once when absent; ISO 8601, UTC */
  readonly schedule_at?: string | null;
};

export type PublishJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "publish";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** Clip */
  readonly video_clip_id: string;
  readonly platform: "youtube" | "instagram" | "tiktok" | "linkedin" | "x" | "facebook";
  readonly caption: string | null;
  readonly schedule_at: string | null;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: Readonly<Record<string, unknown>> | null;
  })[];
  readonly result: {
    /** Where the platform shows it */
    readonly url: string;
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type QcFinding = {
  /** Of cues: reading_speed (characters a second), line_length (characters), line_count (lines, those that are too long as they are wrapped), too_short and too_long (ms), gap_too_small and gap_flickers (frames to the cue before), overlap (ms; also those that other segments take from times that were set), late_cue (ms after it is said), shot_change (frames from a cut), not_in_stl (characters of which the code table has only the nearest), lost_in_stl (characters that become a question mark), stl_round_trip (cues that are read otherwise than they were written). Of segments: fast_speech (characters a second), low_confidence (0 to 1), overlap (ms). Of all: frame_rate (frames a second of the media, of which EBU STL has 25 and 30) */
  readonly code: "reading_speed" | "line_length" | "line_count" | "too_short" | "too_long" | "gap_too_small" | "gap_flickers" | "overlap" | "late_cue" | "fast_speech" | "low_confidence" | "shot_change" | "not_in_stl" | "lost_in_stl" | "stl_round_trip" | "frame_rate";
  /** error: beyond what the profile allows; warning: for a person to look at */
  readonly severity: "error" | "warning";
  readonly cue: number | null;
  /** What it is of; none where it is of all */
  readonly segment_ids: readonly (string)[];
  /** Start of the cue or segment, milliseconds */
  readonly start_ms: number;
  /** End of it, milliseconds */
  readonly end_ms: number;
  /** What was found, in the unit of the code */
  readonly value: number;
  /** The limit that it is beyond, in the same unit */
  readonly limit: number;
  /** For people */
  readonly detail: string;
};

export type QcMark = {
  /** low_confidence: the engine doubts words of it; fast_speech: a cue of it is above the reading speed, because the speech is, or times were set that leave too little; short_cue: a cue of it is on screen for less than 5/6 s, because times were set that leave no more; late_cue: a cue of it is shown after it is said; wide_line: a line of it is wider than a subtitle */
  readonly code: "low_confidence" | "fast_speech" | "short_cue" | "late_cue" | "wide_line";
  /** What was found: the lowest confidence (0 to 1), characters a second, milliseconds, or columns (42 fill a line) */
  readonly value: number;
  /** The limit that it is beyond, in the same unit */
  readonly limit: number;
  /** For people */
  readonly detail: string;
};

export type QcReport = {
  /** Transcription */
  readonly transcription_id: string;
  /** Version of the transcription */
  readonly version: number;
  readonly profile: "broadcast" | "web" | "netflix-like";
  /** Where the limits of the profile are from */
  readonly sources: readonly (string)[];
  /** Frames a second in which gaps are counted */
  readonly frame_rate: number;
  /** Whether there are no errors; so it is of no cues at all */
  readonly passed: boolean;
  readonly cues: number;
  readonly segments: number;
  readonly errors: number;
  readonly warnings: number;
  /** What was found, by code and severity, all findings counted */
  readonly summary: readonly ({
    /** Of cues: reading_speed (characters a second), line_length (characters), line_count (lines, those that are too long as they are wrapped), too_short and too_long (ms), gap_too_small and gap_flickers (frames to the cue before), overlap (ms; also those that other segments take from times that were set), late_cue (ms after it is said), shot_change (frames from a cut), not_in_stl (characters of which the code table has only the nearest), lost_in_stl (characters that become a question mark), stl_round_trip (cues that are read otherwise than they were written). Of segments: fast_speech (characters a second), low_confidence (0 to 1), overlap (ms). Of all: frame_rate (frames a second of the media, of which EBU STL has 25 and 30) */
    readonly code: "reading_speed" | "line_length" | "line_count" | "too_short" | "too_long" | "gap_too_small" | "gap_flickers" | "overlap" | "late_cue" | "fast_speech" | "low_confidence" | "shot_change" | "not_in_stl" | "lost_in_stl" | "stl_round_trip" | "frame_rate";
    /** error: beyond what the profile allows; warning: for a person to look at */
    readonly severity: "error" | "warning";
    readonly count: number;
    /** The value furthest beyond the limit */
    readonly worst: number;
    readonly limit: number;
  })[];
  readonly shot_changes: {
    readonly status: "checked" | "not_checked";
    readonly detail: string;
  };
  readonly stl: {
    readonly status: "checked" | "not_checked";
    readonly detail: string;
  };
  /** In order of their start: the first 10,000 */
  readonly findings: readonly (QcFinding)[];
  /** How many there are beyond those */
  readonly findings_left_out: number;
};

export type Quote = {
  /** Asset that the job would work on */
  readonly asset_id: string;
  readonly job: "ingest" | "translation" | "voice_over" | "clips";
  /** What the job would use */
  readonly lines: readonly ({
    readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
    readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
    readonly quantity: number;
    readonly engine: string | null;
    readonly cost_usd: number | null;
    /** Whether the job may use more or less. Of an ingest it is what media usually come to, 900 characters a minute and a picture a second: nobody has listened or looked yet; the minutes of a video are an estimate as well, since its sound may be shorter. Of a voice over it is each segment once: what does not fit into its time is spoken again, faster, two times more at most. Of clips it is the most: with intro and outro, and nothing of a clip that is rendered as it would be now, but with chunks that need not be rendered again */
    readonly is_estimate: boolean;
  })[];
  readonly cost_usd: number | null;
  readonly budget: {
    /** What the tenant may cost in a month, USD */
    readonly limit_usd: number;
    /** What it cost this month (UTC) until now, USD */
    readonly spent_usd: number;
    readonly fits: boolean | null;
  } | null;
};

export type RedeliveryInput = {
  /** Events of the log */
  readonly event_ids: readonly (string)[];
};

export type RestoreTranscriptionInput = {
  /** Version */
  readonly version: number;
};

export type SearchHit = {
  /** Asset */
  readonly asset_id: string;
  /** How well it fits; best first */
  readonly score: number;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  readonly text: string | null;
  readonly source: "transcript" | "picture" | "sound" | "metadata";
};

export type SearchInput = {
  /** What to look for, in any language */
  readonly query: string;
  /** Only this asset */
  readonly asset_id?: string | null;
  readonly max_results?: number | null;
  /** A picture that the places resemble */
  readonly image?: {
    readonly media_type: "image/jpeg" | "image/png" | "image/webp";
    /** At most 4 MiB once decoded, image and audio together */
    readonly data_base64: string;
  } | null;
  /** A sound that they resemble */
  readonly audio?: {
    readonly media_type: "audio/wav" | "audio/mpeg" | "audio/mp4" | "audio/ogg" | "audio/flac";
    /** At most 4 MiB once decoded, image and audio together */
    readonly data_base64: string;
  } | null;
};

export type SearchResult = {
  readonly data: readonly (SearchHit)[];
};

export type Segment = {
  /** Segment */
  readonly segment_id: string;
  readonly original_segment_id: string | null;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  /** automatic: the times of speech, of which its subtitles borrow and lend silence; set: somebody said when it begins or ends, and its subtitles keep to that */
  readonly timing: "automatic" | "set";
  readonly text: string;
  readonly speaker: string | null;
  readonly speaker_id: string | null;
  readonly confidence: number | null;
  readonly words: readonly (Word)[];
  /** True where a translated segment came of text, times or a speaker that changed since; absent otherwise. A person who edits it settles it */
  readonly stale?: boolean;
  /** Beside `stale`. text: the sentences that it is part of; placement: only the times or the speaker, which a retranslation takes over without touching the text; deleted: the original is gone, and a retranslation of its id removes this one */
  readonly stale_reason?: "text" | "placement" | "deleted";
  /** What to look at before the subtitles go out: at most one mark a code. Computed from the segments as they are, never stored */
  readonly qc: readonly (QcMark)[];
};

export type SegmentsVersion = {
  /** Transcription */
  readonly transcription_id: string;
  /** Version of the transcription that has them */
  readonly version: number;
  /** The segments that were added or changed, as asked */
  readonly segments: readonly (Segment)[];
};

export type SoundDescription = {
  /** Sound description */
  readonly description_id: string;
  /** Asset */
  readonly asset_id: string;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  /** What is heard, without brackets */
  readonly text: string;
  readonly confidence: number | null;
  /** When it was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When it changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type SoundDescriptionPage = {
  readonly data: readonly (SoundDescription)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type SourceTrack = {
  /** Among the audio tracks of the file, from 1 */
  readonly number: number;
  readonly language: string | null;
  readonly title: string | null;
  /** As ffmpeg names it */
  readonly codec: string;
  readonly channels: number;
  /** Whether the file says that it is the default */
  readonly is_default: boolean;
  readonly chosen: "asked_for" | "only" | "language" | "no_commentary" | "default" | "channels" | "first" | null;
};

export type Speaker = {
  /** Speaker */
  readonly speaker_id: string;
  /** Asset */
  readonly asset_id: string;
  /** Name as subtitles show it */
  readonly name: string;
  /** When the speaker was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the speaker changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type SpeakerInput = {
  /** Name as subtitles show it */
  readonly name: string;
  /** What segments call the speaker so far: `speaker` of those without a `speaker_id`; the name when absent */
  readonly label?: string | null;
};

export type SpeakerPage = {
  readonly data: readonly (Speaker)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type SpeakerUpdate = {
  /** Name as subtitles show it */
  readonly name?: string;
};

export type SplitSegmentInput = {
  /** Time between its start and its end, milliseconds */
  readonly time_ms?: number | null;
  /** How many words stay in the first part */
  readonly word?: number | null;
  /** How many characters stay in the first part, counted as Unicode code points */
  readonly character?: number | null;
};

export type StartUploadInput = {
  /** Number of parts */
  readonly parts?: number | null;
};

export type StorageDestination = {
  /** Bucket (aws_s3, gcp_storage) */
  readonly bucket_name?: string;
  /** Region of the bucket (aws_s3) */
  readonly region?: string;
  /** Address of the container, without its token (azure) */
  readonly blob_url?: string;
};

export type Storyboard = {
  /** Asset */
  readonly asset_id: string;
  /** In order */
  readonly sheets: readonly (string)[];
  /** By time, without gaps; at most 300 */
  readonly tiles: readonly ({
    /** Start, milliseconds */
    readonly start_ms: number;
    /** End, milliseconds */
    readonly end_ms: number;
    /** Place of its sheet in `sheets` */
    readonly sheet: number;
    /** Pixels from the left of the sheet */
    readonly x: number;
    /** Pixels from its top */
    readonly y: number;
    readonly width: number;
    readonly height: number;
  })[];
  /** The same as WebVTT, for players: each cue is the address of a sheet with `#xywh=` */
  readonly webvtt: string;
  /** When the addresses stop working; ISO 8601, UTC */
  readonly expires_at: string;
};

export type Template = {
  /** Template */
  readonly template_id: string;
  /** Name */
  readonly name: string;
  /** Dictionaries whose terms are expanded; each belongs to one template at most */
  readonly domain_dictionary_ids: readonly (string)[];
  /** Blacklists whose words are filtered out; each belongs to one template at most */
  readonly blacklist_ids: readonly (string)[];
  /** Whitelists whose words are kept; each belongs to one template at most */
  readonly whitelist_ids: readonly (string)[];
  /** Languages to translate into */
  readonly translation_language_ids: readonly (string)[];
  /** Languages to make voice overs in */
  readonly voice_over_language_ids: readonly (string)[];
  /** Read text in the picture */
  readonly enabled_ocr: boolean;
  readonly voice_over_config: VoiceOverConfig;
  /** When the template was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the template changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type TemplateChange = {
  /** Name */
  readonly name?: string;
  /** Dictionaries whose terms are expanded; each belongs to one template at most */
  readonly domain_dictionary_ids?: readonly (string)[] | null;
  /** Blacklists whose words are filtered out; each belongs to one template at most */
  readonly blacklist_ids?: readonly (string)[] | null;
  /** Whitelists whose words are kept; each belongs to one template at most */
  readonly whitelist_ids?: readonly (string)[] | null;
  /** Languages to translate into */
  readonly translation_language_ids?: readonly (string)[] | null;
  /** Languages to make voice overs in */
  readonly voice_over_language_ids?: readonly (string)[] | null;
  /** Read text in the picture */
  readonly enabled_ocr?: boolean | null;
  readonly voice_over_config?: {
    /** Speak with the original speaker's voice */
    readonly clone_voice?: boolean;
    /** Remove the original voice instead of lowering it */
    readonly mute_original_voice?: boolean;
  } | null;
};

export type TemplateInput = {
  /** Name */
  readonly name: string;
  /** Dictionaries whose terms are expanded; each belongs to one template at most */
  readonly domain_dictionary_ids?: readonly (string)[] | null;
  /** Blacklists whose words are filtered out; each belongs to one template at most */
  readonly blacklist_ids?: readonly (string)[] | null;
  /** Whitelists whose words are kept; each belongs to one template at most */
  readonly whitelist_ids?: readonly (string)[] | null;
  /** Languages to translate into */
  readonly translation_language_ids?: readonly (string)[] | null;
  /** Languages to make voice overs in */
  readonly voice_over_language_ids?: readonly (string)[] | null;
  /** Read text in the picture */
  readonly enabled_ocr?: boolean | null;
  readonly voice_over_config?: {
    /** Speak with the original speaker's voice */
    readonly clone_voice?: boolean;
    /** Remove the original voice instead of lowering it */
    readonly mute_original_voice?: boolean;
  } | null;
};

export type TemplatePage = {
  readonly data: readonly (Template)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Transcription = {
  /** Transcription */
  readonly transcription_id: string;
  /** Asset */
  readonly asset_id: string;
  /** Language */
  readonly language_id: string;
  readonly source: "transcribed" | "translated";
  /** Rises with every change of the segments */
  readonly version: number;
  /** Whether the original changed after this was translated */
  readonly stale: boolean;
  readonly segment_count: number;
  /** When the transcription was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the transcription changed last; ISO 8601, UTC */
  readonly updated_at: string;
  readonly segments: readonly (Segment)[];
  /** Page number, where pages are asked for */
  readonly page?: number;
  /** Segments a page, likewise */
  readonly items?: number;
  readonly next_cursor?: string | null;
};

export type TranscriptionPage = {
  readonly data: readonly (TranscriptionSummary)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type TranscriptionSummary = {
  /** Transcription */
  readonly transcription_id: string;
  /** Asset */
  readonly asset_id: string;
  /** Language */
  readonly language_id: string;
  readonly source: "transcribed" | "translated";
  /** Rises with every change of the segments */
  readonly version: number;
  /** Whether the original changed after this was translated */
  readonly stale: boolean;
  readonly segment_count: number;
  /** When the transcription was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the transcription changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type TranscriptionVersion = {
  /** Version */
  readonly version: number;
  /** When it was made; ISO 8601, UTC */
  readonly created_at: string;
  readonly segment_count: number;
  readonly change: {
    /** What was done to the version before it; translated: by a job */
    readonly action: "created" | "added" | "edited" | "split" | "merged" | "deleted" | "restored" | "translated";
    /** How many segments the request named; in a translation of all, how many it made */
    readonly segments: number;
    readonly restored_version: number | null;
  } | null;
};

export type TranscriptionVersionPage = {
  readonly data: readonly (TranscriptionVersion)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type TranslationJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "translation";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** Language that this item is for */
    readonly language_id: string;
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: {
      /** Translation that was made */
      readonly transcription_id: string;
    } | null;
  })[];
  readonly result: {
    /** What was made */
    readonly transcription_ids: readonly (string)[];
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type TranslationJobInput = {
  /** Target languages */
  readonly language_ids: readonly (string)[];
};

export type TranslationJobPage = {
  readonly data: readonly (TranslationJob)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type UpdateSegmentInput = {
  readonly speaker_id?: string | null;
  /** Text; up to 5000 characters, on any number of lines */
  readonly text?: string;
  /** Start, milliseconds */
  readonly start_ms?: number;
  /** End, after the start, milliseconds */
  readonly end_ms?: number;
};

export type UpdateSegmentsInput = {
  readonly segments: readonly ({
    /** Segment */
    readonly segment_id?: string;
    /** The same under another name: one of both is needed */
    readonly id?: string;
    readonly speaker_id?: string | null;
    /** Text; up to 5000 characters, on any number of lines */
    readonly text?: string;
    /** Start, milliseconds */
    readonly start_ms?: number;
    /** End, after the start, milliseconds */
    readonly end_ms?: number;
  })[];
};

export type UploadTicket = {
  /** Multipart upload */
  readonly upload_id: string;
  /** When the addresses stop working; ISO 8601, UTC */
  readonly expires_at: string;
  readonly parts: readonly ({
    readonly part_number: number;
    /** PUT the bytes of the part here */
    readonly url: string;
  })[];
};

export type Usage = {
  /** Month, UTC */
  readonly period: string;
  readonly metrics: readonly ({
    readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
    readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
    /** Sum of the month; of stored_bytes what was stored at its end, or is now: media and branding files, not what is made of media */
    readonly quantity: number;
  })[];
};

export type UsageHistory = {
  readonly data: readonly (Usage)[];
};

export type VideoClip = {
  /** Clip */
  readonly video_clip_id: string;
  /** Asset */
  readonly asset_id: string;
  /** created until somebody asks for the clip, then rendering, and at last ready or failed; a job that is canceled leaves it as it was */
  readonly status: "created" | "rendering" | "ready" | "failed";
  /** How much of it is rendered, 0 to 1 */
  readonly progress: number;
  readonly job_id: string | null;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  readonly start_frame: number | null;
  readonly end_frame: number | null;
  readonly aspect_ratio_x: number | null;
  readonly aspect_ratio_y: number | null;
  readonly autoframing: boolean;
  readonly branding_id: string | null;
  readonly subtitles_language_id: string | null;
  readonly with_sound_descriptions: boolean;
  readonly error: JobError | null;
  readonly rendered_at: string | null;
  /** Whether the file would be another by now: its subtitles, sound descriptions, branding or framing changed since. Asking for it again renders what changed */
  readonly stale: boolean;
  /** What was asked for and done otherwise, or not */
  readonly notes: readonly ({
    /** Its stable name: `font_substituted`, for one */
    readonly code: string;
    /** What was done instead, a sentence */
    readonly detail: string;
  })[];
  readonly size_bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly frame_count: number | null;
  readonly thumbnail_url: string | null;
  /** When the clip was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the clip changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type VideoClipFraming = {
  /** Clip */
  readonly video_clip_id: string;
  /** Asset */
  readonly asset_id: string;
  readonly width: number | null;
  readonly height: number | null;
  /** By time; straight between points that do not jump. Longer paths are told less finely */
  readonly points: readonly (FramePoint)[];
  /** What decides, by time */
  readonly stretches: readonly ({
    /** Start, from that of the clip, milliseconds */
    readonly start_ms: number;
    /** End, milliseconds */
    readonly end_ms: number;
    /** What decided it; picture is its middle */
    readonly source: "center_of_interest" | "face" | "motion" | "picture";
    readonly confidence: number | null;
  })[];
  /** Whether the file of the clip was rendered with this path */
  readonly is_rendered: boolean;
};

export type VideoClipInput = {
  /** Start; the beginning when absent, milliseconds */
  readonly start_ms?: number | null;
  /** End; the end of the media when absent, milliseconds */
  readonly end_ms?: number | null;
  /** First frame, from 0; instead of start_ms */
  readonly start_frame?: number | null;
  /** First frame after the clip; instead of end_ms */
  readonly end_frame?: number | null;
  /** Width part of the aspect ratio, from 1:10 to 10:1; with aspect_ratio_y */
  readonly aspect_ratio_x?: number | null;
  /** Height part of the aspect ratio, from 1:10 to 10:1; with aspect_ratio_x */
  readonly aspect_ratio_y?: number | null;
  /** Whether the frame follows what is of interest */
  readonly autoframing?: boolean | null;
  /** Branding to apply; where it has variants, one of them is for the aspect ratio */
  readonly branding_id?: string | null;
  /** Language of burned-in subtitles */
  readonly subtitles_language_id?: string | null;
  /** Whether subtitles tell sounds */
  readonly with_sound_descriptions?: boolean | null;
};

export type VideoClipList = {
  readonly data: readonly (VideoClip)[];
};

export type VideoClipPage = {
  readonly data: readonly (VideoClip)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type View = {
  /** View */
  readonly view_id: string;
  /** Name */
  readonly name: string;
  /** Conditions, all of which must hold; they name 16 collections at most */
  readonly filter_params: readonly (FilterCondition)[];
  /** When the view was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the view changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type ViewChange = {
  /** Name */
  readonly name?: string;
  /** Conditions, all of which must hold; they name 16 collections at most */
  readonly filter_params?: readonly (FilterCondition)[];
};

export type ViewInput = {
  /** Name */
  readonly name: string;
  /** Conditions, all of which must hold; they name 16 collections at most */
  readonly filter_params: readonly (FilterCondition)[];
};

export type ViewPage = {
  readonly data: readonly (View)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type VoiceOverConfig = {
  /** Speak with the original speaker's voice */
  readonly clone_voice?: boolean;
  /** Remove the original voice instead of lowering it */
  readonly mute_original_voice?: boolean;
};

export type VoiceOverJob = {
  /** Job */
  readonly job_id: string;
  readonly type: "voice_over";
  /** Asset that the job works on */
  readonly asset_id: string;
  /** succeeded, partially_succeeded, failed and canceled never change again */
  readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
  /** 0 to 1; never falls */
  readonly progress: number;
  /** Only while the job waits for others to end, where it is followed or listed: tenants take turns, the one with least under way first. Of hundreds that wait the last ones have none yet */
  readonly queue?: {
    /** Its place in line, from 1; it may fall and rise */
    readonly position: number;
  };
  /** What the job used and cost until now, as it is metered: what was done counts whatever became of the job. Only in the answer to a look at a job that has ended. Of providers’ prices alone: what the operator pays for functions and storage is not in it */
  readonly receipt?: {
    readonly lines: readonly ({
      readonly metric: "uploads" | "uploaded_bytes" | "transcription_minutes" | "translated_characters" | "spoken_characters" | "analyzed_pictures" | "analyzed_characters" | "rendered_minutes" | "cost" | "stored_bytes";
      readonly unit: "count" | "bytes" | "minutes" | "characters" | "usd";
      readonly quantity: number;
      readonly engine: string | null;
      readonly cost_usd: number | null;
    })[];
    readonly cost_usd: number | null;
  };
  /** What the job does side by side; empty where it is one thing */
  readonly items: readonly ({
    /** Language that this item is for */
    readonly language_id: string;
    /** succeeded, partially_succeeded, failed and canceled never change again */
    readonly status: "scheduled" | "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "canceled";
    /** 0 to 1; never falls */
    readonly progress: number;
    readonly error: JobError | null;
    readonly result: {
      /** Audio track that was made */
      readonly audio_track_id: string;
      /** Segments that were spoken by this job */
      readonly synthesised: number;
      /** Segments that are as they were, whose speech an earlier job had made */
      readonly kept: number;
    } | null;
  })[];
  readonly result: {
    readonly audio_track_ids: readonly (string)[];
  } | null;
  readonly error: JobError | null;
  /** When the job was created; ISO 8601, UTC */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly estimated_ready_at: string | null;
  readonly finished_at: string | null;
};

export type VoiceOverJobInput = {
  /** Ids of languages; all of the template's voice over languages when blank */
  readonly language_ids?: readonly (string)[] | null;
  /** What is other than in the `voice_over_config` of the template; what is absent is as there */
  readonly voice_over_config?: {
    /** Speak with the original speaker's voice */
    readonly clone_voice?: boolean;
    /** Remove the original voice instead of lowering it */
    readonly mute_original_voice?: boolean;
  } | null;
  /** Make a video with each audio track as well, beside the original sound; its picture is copied as it is */
  readonly mux?: boolean | null;
};

export type VoiceOverJobPage = {
  readonly data: readonly (VoiceOverJob)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type Waveform = {
  readonly version: 2;
  readonly channels: 1;
  /** Samples a second that the peaks were taken of */
  readonly sample_rate: number;
  /** How many samples a pair of peaks covers */
  readonly samples_per_pixel: number;
  readonly bits: 8;
  /** How many pairs there are */
  readonly length: number;
  /** The lowest and the highest sample of each pair in turn */
  readonly data: readonly (number)[];
};

export type Webhook = {
  /** Webhook */
  readonly webhook_id: string;
  /** Where events are sent: https, an address that is reachable from everywhere. A local cloud takes http and private addresses as well. */
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly ("asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled")[] | null;
  /** Whether events are sent */
  readonly enabled: boolean;
  readonly disabled_reason: "gone" | "failing" | null;
  /** When the webhook was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the webhook changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type WebhookChange = {
  /** Where events are sent: https, an address that is reachable from everywhere. A local cloud takes http and private addresses as well. */
  readonly url?: string;
  /** What it is for */
  readonly description?: string | null;
  /** Types of events to send; null for all, those to come included */
  readonly event_types?: readonly ("asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled")[] | null;
  /** Whether events are sent */
  readonly enabled?: boolean | null;
};

export type WebhookInput = {
  /** Where events are sent: https, an address that is reachable from everywhere. A local cloud takes http and private addresses as well. */
  readonly url: string;
  /** What it is for */
  readonly description?: string | null;
  /** Types of events to send; null for all, those to come included */
  readonly event_types?: readonly ("asset.created" | "asset.processing" | "asset.ready" | "asset.failed" | "asset.deleted" | "job.created" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.canceled")[] | null;
  /** Whether events are sent */
  readonly enabled?: boolean | null;
};

export type WebhookPage = {
  readonly data: readonly (Webhook)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type WebhookSecrets = {
  /** `whsec_` and the key in base64, as libraries of Standard Webhooks take it */
  readonly secret: string;
  /** Secrets that were in use before and still sign, newest first */
  readonly previous: readonly ({
    /** `whsec_` and the key in base64, as libraries of Standard Webhooks take it */
    readonly secret: string;
    /** Until when it signs too; ISO 8601, UTC */
    readonly expires_at: string;
  })[];
};

export type Whitelist = {
  /** Whitelist */
  readonly whitelist_id: string;
  /** Name */
  readonly name: string;
  /** Words that are preserved, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words: readonly (string)[];
  readonly template_id: string | null;
  /** When the whitelist was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the whitelist changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type WhitelistChange = {
  /** Name */
  readonly name?: string;
  /** Words that are preserved, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words?: readonly (string)[];
  /** Template that uses the list; it has it in `whitelist_ids` */
  readonly template_id?: string | null;
};

export type WhitelistInput = {
  /** Name */
  readonly name: string;
  /** Words that are preserved, each once, whatever its case; 300 KB at most, as UTF-8 JSON */
  readonly words: readonly (string)[];
  /** Template that uses the list; it has it in `whitelist_ids` */
  readonly template_id?: string | null;
};

export type WhitelistPage = {
  readonly data: readonly (WhitelistSummary)[];
  /** Page number */
  readonly page: number;
  /** Items a page */
  readonly items: number;
  /** All items; exact up to 10000, where filters are combined as far as 10000 entries of each go */
  readonly total: number;
  /** Whether there are more than `total` */
  readonly total_is_lower_bound: boolean;
  readonly next_cursor: string | null;
};

export type WhitelistSummary = {
  /** Whitelist */
  readonly whitelist_id: string;
  /** Name */
  readonly name: string;
  readonly template_id: string | null;
  /** When the whitelist was created; ISO 8601, UTC */
  readonly created_at: string;
  /** When the whitelist changed last; ISO 8601, UTC */
  readonly updated_at: string;
};

export type Word = {
  readonly text: string;
  /** Start, milliseconds */
  readonly start_ms: number;
  /** End, milliseconds */
  readonly end_ms: number;
  readonly confidence: number | null;
  /** Whether the engine is so unsure of the word that somebody should look at it */
  readonly doubtful?: boolean;
  readonly speaker?: string;
};
