/** Which languages the engines of each kind of environment serve. */
import type { LanguageFeature } from '../../../platform/shared/languages.ts';

export type EngineKind = 'aws' | 'local' | 'local-models';

const tags = (list: string) => new Set(list.split(' '));

/** AWS docs: Transcribe "Supported languages" (batch), as primary tags. */
const transcribe = tags(
  'af ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko lt lv mk ml ' +
    'mr ms mt nl no pa pl pt pt-BR ro ru sk sl sr sv sw ta te th tl tr uk vi zh zh-TW',
);

const features: Record<EngineKind, Partial<Record<LanguageFeature, ReadonlySet<string>>>> = {
  aws: { transcription: transcribe },
  local: { transcription: tags('en') },
  // A model of the user's: which languages it knows is the model's secret, so none is refused.
  'local-models': { transcription: transcribe },
};

export function featuresOf(code: string, engines: EngineKind): LanguageFeature[] {
  const offered = Object.entries(features[engines]) as [LanguageFeature, ReadonlySet<string>][];
  return offered.filter(([, codes]) => codes.has(code)).map(([feature]) => feature);
}
