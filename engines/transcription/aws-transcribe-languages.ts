/** Finds the language code of Amazon Transcribe for a BCP 47 tag. */
import { LanguageCode } from '@aws-sdk/client-transcribe';
import { primarySubtag } from '../engine.ts';

const codes: readonly LanguageCode[] = Object.values(LanguageCode);

/** The code for a tag without a region or with a script, for languages with several codes. */
const preferred: Readonly<Record<string, LanguageCode>> = {
  ar: 'ar-SA',
  de: 'de-DE',
  en: 'en-US',
  es: 'es-ES',
  fr: 'fr-FR',
  nb: 'no-NO',
  nn: 'no-NO',
  fil: 'tl-PH',
  pt: 'pt-BR',
  zh: 'zh-CN',
  'zh-hans': 'zh-CN',
  'zh-hant': 'zh-TW',
};

/** Returns the exact code, or the preferred code of the language. Null if Transcribe does not support the language. */
export function transcribeLanguage(tag: string): LanguageCode | null {
  const wanted = tag.toLowerCase();
  const exact = codes.find((code) => code.toLowerCase() === wanted);
  const primary = primarySubtag(tag);
  const any = codes.find((code) => primarySubtag(code) === primary);
  return exact ?? preferred[wanted] ?? preferred[primary] ?? any ?? null;
}
