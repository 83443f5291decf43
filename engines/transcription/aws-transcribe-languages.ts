/** Which code of Amazon Transcribe a BCP 47 tag means. */
import { LanguageCode } from '@aws-sdk/client-transcribe';
import { primarySubtag } from '../engine.ts';

const codes: readonly LanguageCode[] = Object.values(LanguageCode);

/** The code of a language that has several, where its tag names no region, or names a script. */
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

/** The exact code, else the usual one of the language, else null: not understood. */
export function transcribeLanguage(tag: string): LanguageCode | null {
  const wanted = tag.toLowerCase();
  const exact = codes.find((code) => code.toLowerCase() === wanted);
  const primary = primarySubtag(tag);
  const any = codes.find((code) => primarySubtag(code) === primary);
  return exact ?? preferred[wanted] ?? preferred[primary] ?? any ?? null;
}
