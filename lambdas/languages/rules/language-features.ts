/** The features of a language. Each depends on the engines of one capability. */
import type { Capability } from '../../../engines/declarations.ts';
import type { LanguageFeature } from '../../../shared/languages.ts';

const capabilities: Readonly<Record<LanguageFeature, Capability>> = {
  transcription: 'transcription',
  translation: 'translation',
  voice_over: 'speech',
};

/** @param isAvailable whether an engine of the environment has the capability in this language */
export function featuresOf(isAvailable: (capability: Capability) => boolean): LanguageFeature[] {
  const features = Object.entries(capabilities) as [LanguageFeature, Capability][];
  return features.filter(([, capability]) => isAvailable(capability)).map(([feature]) => feature);
}
