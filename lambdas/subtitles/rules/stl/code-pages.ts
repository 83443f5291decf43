/** The DOS code pages of the header (Tech 3264 appendix 1). */
import { defined } from '../../../../shared/checked-access.ts';
import { substituteFor } from './substitutes.ts';

/** The characters of the bytes 80h to FFh. Lower bytes are ASCII. */
const upperHalves = {
  437: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  850: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  860: 'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  863: 'ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  865: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
} as const;

export type CodePage = '437' | '850' | '860' | '863' | '865';

/** In order of preference. 850 is the first, because it has all letters of Western European languages. */
const codePages: readonly CodePage[] = ['850', '437', '860', '863', '865'];

export const isCodePage = (text: string): text is CodePage => (codePages as readonly string[]).includes(text);

/** The code page that lacks the fewest characters of a text; among equal ones, the first of `codePages`. */
export function codePageFor(text: string): CodePage {
  const missing = (page: CodePage) =>
    [...text.normalize('NFC')].filter((each) => byteOf(each, page) === null);
  const counts = codePages.map((page) => missing(page).length);
  return defined(codePages[counts.indexOf(Math.min(...counts))]);
}

/** The bytes of a text. If the page lacks a character, a look-alike or a question mark replaces it. */
export function encodeInCodePage(text: string, page: CodePage): number[] {
  return [...text.normalize('NFC')].flatMap((character) => {
    const byte = byteOf(character, page);
    if (byte !== null) return [byte];
    return [...substituteFor(character)].map((plain) => byteOf(plain, page) ?? QUESTION_MARK);
  });
}

/** The text of bytes. Control bytes become spaces, because some programs end fields with NUL or line ends. */
export function decodeCodePage(bytes: Uint8Array, page: CodePage): string {
  let text = '';
  for (const byte of bytes) {
    if (byte < SPACE || byte === DELETE) text += ' ';
    else text += byte < 128 ? String.fromCharCode(byte) : defined(upperHalves[page][byte - 128]);
  }
  return text.trimEnd();
}

const SPACE = 0x20;
const DELETE = 0x7f;
const QUESTION_MARK = 0x3f;

function byteOf(character: string, page: CodePage): number | null {
  const code = defined(character.codePointAt(0));
  if (code >= SPACE && code < DELETE) return code;
  const at = upperHalves[page].indexOf(character);
  return at === -1 ? null : at + 128;
}
