/** The supported languages. Their ids are UUIDv5 of the BCP 47 tag, so they are the same in all environments. */
import { createHash } from 'node:crypto';
import { defined, itemAt } from './checked-access.ts';

export type LanguageFeature = 'transcription' | 'translation' | 'voice_over';

export interface Language {
  readonly language_id: string;
  readonly code: string;
  readonly name: string;
  readonly native_name: string;
  readonly direction: 'ltr' | 'rtl';
}

/** RFC 9562 §6.6: the URL namespace; the name is `https://kinora.dev/languages/{tag}`. */
const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** RFC 9562 §5.5: SHA-1 of namespace and name, with version and variant bits set. */
function idOf(code: string): string {
  const digest = createHash('sha1').update(namespace).update(`https://kinora.dev/languages/${code}`).digest();
  digest[6] = (defined(digest[6]) & 0x0f) | 0x50;
  digest[8] = (defined(digest[8]) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Tag, English name, name in the language. A star marks right-to-left scripts. */
const table = `
af Afrikaans|Afrikaans
ar Arabic|العربية *
bg Bulgarian|Български
bn Bengali|বাংলা
ca Catalan|Català
cs Czech|Čeština
cy Welsh|Cymraeg
da Danish|Dansk
de German|Deutsch
el Greek|Ελληνικά
en English|English
es Spanish|Español
et Estonian|Eesti
eu Basque|Euskara
fa Persian|فارسی *
fi Finnish|Suomi
fr French|Français
ga Irish|Gaeilge
gl Galician|Galego
gu Gujarati|ગુજરાતી
he Hebrew|עברית *
hi Hindi|हिन्दी
hr Croatian|Hrvatski
hu Hungarian|Magyar
hy Armenian|Հայերեն
id Indonesian|Bahasa Indonesia
is Icelandic|Íslenska
it Italian|Italiano
ja Japanese|日本語
ka Georgian|ქართული
kk Kazakh|Қазақ тілі
kn Kannada|ಕನ್ನಡ
ko Korean|한국어
lt Lithuanian|Lietuvių
lv Latvian|Latviešu
mk Macedonian|Македонски
ml Malayalam|മലയാളം
mr Marathi|मराठी
ms Malay|Bahasa Melayu
mt Maltese|Malti
nl Dutch|Nederlands
no Norwegian|Norsk
pa Punjabi|ਪੰਜਾਬੀ
pl Polish|Polski
pt Portuguese|Português
pt-BR Portuguese (Brazil)|Português (Brasil)
ro Romanian|Română
ru Russian|Русский
sk Slovak|Slovenčina
sl Slovenian|Slovenščina
sq Albanian|Shqip
sr Serbian|Српски
sv Swedish|Svenska
sw Swahili|Kiswahili
ta Tamil|தமிழ்
te Telugu|తెలుగు
th Thai|ไทย
tl Tagalog|Tagalog
tr Turkish|Türkçe
uk Ukrainian|Українська
ur Urdu|اردو *
vi Vietnamese|Tiếng Việt
zh Chinese (Simplified)|简体中文
zh-TW Chinese (Traditional)|繁體中文`;

function parsed(line: string): Language {
  const [code = '', rest = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
  const rightToLeft = rest.endsWith(' *');
  const [name = '', native_name = ''] = rest.replace(/ \*$/, '').split('|');
  return { language_id: idOf(code), code, name, native_name, direction: rightToLeft ? 'rtl' : 'ltr' };
}

export const languages: readonly Language[] = table
  .trim()
  .split('\n')
  .map(parsed)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const byId = new Map(languages.map((language) => [language.language_id, language]));
const byCode = new Map(languages.map((language) => [language.code.toLowerCase(), language]));

export const languageById = (id: string): Language | undefined => byId.get(id);

/** The language of a BCP 47 tag, or of its primary subtag (`en-US` is `en`). */
export function languageByCode(tag: string): Language | undefined {
  const lower = tag.toLowerCase();
  return byCode.get(lower) ?? byCode.get(itemAt(lower.split('-', 1), 0));
}
