import type { StoredJob } from '../../../shared/jobs.ts';
import type { TemplateOptions } from '../../settings/rules/template-options.ts';

export interface VoiceOverConfig {
  readonly clone_voice: boolean;
  readonly mute_original_voice: boolean;
}

export interface VoiceOverOwn {
  readonly language_ids: readonly string[];
  readonly config: VoiceOverConfig;
  readonly mux: boolean;
  /** The characters that were reserved from the tenant's quotas, by language. Absent if the tenant has no such quota. */
  readonly held?: Readonly<Record<string, number>>;
}

export type VoiceOverJob = StoredJob<'voice_over', VoiceOverOwn>;

/** The settings of the template. Settings of the request override them. */
export const configOf = (
  template: Pick<TemplateOptions, 'voice_over_config'> | null,
  asked: Partial<VoiceOverConfig> = {},
): VoiceOverConfig => ({
  clone_voice: asked.clone_voice ?? template?.voice_over_config?.clone_voice ?? false,
  mute_original_voice: asked.mute_original_voice ?? template?.voice_over_config?.mute_original_voice ?? false,
});
