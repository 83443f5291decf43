/** The languages of eSpeak NG, as BCP 47 tags. */
import { primarySubtag } from '../engine.ts';

/**
 * The languages that version 1.51 (Debian 12, Ubuntu 24.04) speaks understandably. Not in the list: Japanese and Hakka, because
 * eSpeak reads their characters as "Chinese letter"; Thai, Burmese, Hebrew and Cherokee, because eSpeak reads only their letters or
 * consonants; and constructed languages without a tag.
 */
export const espeakLanguages = (
  'af am an ar as az ba be bg bn bpy bs ca cs cv cy da de el en en-GB eo es es-419 et eu fa fi fr fr-BE fr-CH ga gd gn grc gu ' +
  'haw hi hr ht hu hy hyw ia id io is it ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt nci ne nl no nog om ' +
  'or pa pap pl pt pt-BR qu quc ro ru sd shn si sk sl smj sq sr sv sw ta te tk tn tr tt ug uk ur uz vi yue zh zh-TW'
).split(' ');

/** The names of eSpeak that differ from the tag. With the name "cmn", eSpeak would read Chinese as pinyin with English sounds. */
const names: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  no: 'nb',
  nn: 'nb',
  zh: 'cmn-latn-pinyin',
  cmn: 'cmn-latn-pinyin',
  'zh-hk': 'yue',
  'zh-mo': 'yue',
};

/** Countries whose English is closer to British than to American English. */
const BRITISH = /^en-(?:gb|ie|au|nz|za|in)$/;
const AMERICAN_SPANISH = /^es-(?!es$)/;

const known = new Set([...espeakLanguages.map((tag) => tag.toLowerCase()), ...Object.keys(names)]);

/** Returns eSpeak's name for a BCP 47 tag. Null if eSpeak does not speak the language. */
export function espeakName(tag: string): string | null {
  const lower = tag.toLowerCase();
  if (BRITISH.test(lower)) return 'en-gb';
  if (AMERICAN_SPANISH.test(lower)) return 'es-419';
  const found = [lower, primarySubtag(tag)].find((one) => known.has(one));
  if (found === undefined) return null;
  return names[found] ?? names[primarySubtag(found)] ?? found;
}
