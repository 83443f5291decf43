/** Language codes of media files. */
import { primarySubtag } from '../../../engines/engine.ts';
import { defined } from '../../../shared/checked-access.ts';

/** ISO 639-2/T codes by ISO 639-1 codes, for the languages of the service. */
const table =
  'af afr ar ara bg bul bn ben ca cat cs ces cy cym da dan de deu el ell en eng es spa et est eu eus fa fas fi fin fr fra ' +
  'ga gle gl glg gu guj he heb hi hin hr hrv hu hun hy hye id ind is isl it ita ja jpn ka kat kk kaz kn kan ko kor lt lit ' +
  'lv lav mk mkd ml mal mr mar ms msa mt mlt nl nld no nor pa pan pl pol pt por ro ron ru rus sk slk sl slv sq sqi sr srp ' +
  'sv swe sw swa ta tam te tel th tha tl tgl tr tur uk ukr ur urd vi vie zh zho';

const codes = new Map(
  [...table.matchAll(/(\w+) (\w+)/g)].map(([, two, three]) => [defined(two), defined(three)]),
);

/** "spa" for "es-MX". "und" (undetermined) for unknown languages. @param tag BCP 47 */
export const threeLetterCode = (tag: string): string => codes.get(primarySubtag(tag)) ?? 'und';
