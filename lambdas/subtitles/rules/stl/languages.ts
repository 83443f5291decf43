/** The code table of languages (Tech 3264 appendix 3, LC). */
import { itemAt } from '../../../../shared/checked-access.ts';

/** The BCP 47 tags of the codes 00h to 2Bh (`first`), and 45h to 7Fh (`second`). `-` is an unknown language. */
const first =
  '- sq br ca hr cy cs da de en es eo et eu fo fr fy ga gd gl is it se la lv lb lt hu mt nl no oc pl pt ro rm sr sk sl fi sv tr nl-BE wa';
const second =
  'zu vi uz ur uk th te tt ta tg sw srn so si sn sh rue ru qu ps pa fa pap or ne nd mr mo ms mg mk lo ko km kk kn ja id hi he ha gn gu el ka ff prs cv zh my bg bn be bm az as hy ar am';
const SECOND_FROM = 0x45;

const tags = new Map<number, string>([
  ...first.split(' ').map((tag, i): [number, string] => [i, tag === '-' ? '' : tag]),
  ...second.split(' ').map((tag, i): [number, string] => [SECOND_FROM + i, tag]),
]);
const codes = new Map([...tags].map(([code, tag]) => [tag.toLowerCase(), code]));

/** The primary subtag: `pt` of `pt-BR`. */
export const primaryTag = (tag: string): string => itemAt(tag.toLowerCase().split(/[-_]/), 0);

/** The table has one code for both written forms of Norwegian. */
const alike: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/** The code of a BCP 47 tag, two hexadecimal digits. `00` if the table does not have the language. */
export function languageCode(tag: string): string {
  const primary = primaryTag(tag);
  const code = codes.get(tag.toLowerCase()) ?? codes.get(alike[primary] ?? primary) ?? 0;
  return code.toString(16).toUpperCase().padStart(2, '0');
}

/** The BCP 47 tag of a code. Empty if the code has none. */
export const languageOfCode = (code: string): string => tags.get(Number.parseInt(code, 16)) ?? '';
