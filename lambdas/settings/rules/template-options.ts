/** The options of a template that jobs read. */
export interface TemplateOptions {
  readonly enabled_ocr?: boolean | null;
  readonly blacklist_ids?: readonly string[] | null;
  readonly whitelist_ids?: readonly string[] | null;
  readonly domain_dictionary_ids?: readonly string[] | null;
  readonly translation_language_ids?: readonly string[] | null;
  readonly voice_over_language_ids?: readonly string[] | null;
  readonly voice_over_config?: {
    readonly clone_voice?: boolean | undefined;
    readonly mute_original_voice?: boolean | undefined;
  } | null;
}
