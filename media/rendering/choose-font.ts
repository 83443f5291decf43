/** Chooses fonts for subtitles from a few Debian packages, which are installed on laptops and in the deployed image. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../shared/checked-access.ts';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { type Font, readFonts } from './read-font.ts';

/** The font packages and their folders. lib/jobs/media-image and scripts/bootstrap/engines.mjs install them. Other fonts are ignored. */
export const fontPackages = {
  'fonts-inter': '/usr/share/fonts/opentype/inter',
  'fonts-open-sans': '/usr/share/fonts/truetype/open-sans',
  'fonts-roboto-unhinted': '/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF',
  'fonts-lato': '/usr/share/fonts/truetype/lato',
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu',
  'fonts-noto-core': '/usr/share/fonts/truetype/noto',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto',
  'fonts-symbola': '/usr/share/fonts/truetype/ancient-scripts',
} as const;

export interface Fonts {
  chosen(family: string, weight: number): { readonly font: Font; readonly isSubstitute: boolean };
  /** Returns a font that has all the characters, in the weight that is nearest. Null if no font has all of them. */
  having(codePoints: readonly number[], weight: number, language?: string): Font | null;
}

/** Fonts that replace well-known families that are not installed. */
const likes: Readonly<Record<string, string>> = {
  'sans-serif': 'Inter',
  serif: 'Noto Serif',
  georgia: 'Noto Serif',
  'times new roman': 'Noto Serif',
  garamond: 'Noto Serif',
  monospace: 'DejaVu Sans Mono',
  'courier new': 'DejaVu Sans Mono',
  consolas: 'DejaVu Sans Mono',
};
const standIn = 'Inter';
/** Generic families of CSS. Their replacement by a font is not reported. */
const generic = new Set(['sans-serif', 'serif', 'monospace', 'system-ui']);

/** The font families for languages whose Han characters differ from the Japanese ones. */
const hanForms: readonly (readonly [tag: RegExp, family: string])[] = [
  [/^zh-(?:hant|tw|hk|mo)/i, 'Noto Sans CJK TC'],
  [/^zh/i, 'Noto Sans CJK SC'],
  [/^ko/i, 'Noto Sans CJK KR'],
];

let installed: readonly Font[] | undefined;

/** The fonts of the packages, read once in a process. Throws engine_unavailable if none is installed. */
export function openFonts(): Fonts {
  installed ??= Object.values(fontPackages)
    .flatMap(filesIn)
    .flatMap((path) => noneIfBroken(() => readFonts(path)));
  const upright = installed.filter(({ is_italic, name }) => !is_italic && name !== '');
  if (upright.length === 0) {
    const packages = Object.keys(fontPackages).join(' ');
    throw engineUnavailable(
      `No fonts for subtitles are installed. Install them: apt-get install ${packages}.`,
    );
  }
  const families = Map.groupBy(upright, ({ family }) => family.toLowerCase());
  const standInOf = (wanted: string) =>
    families.get((Object.hasOwn(likes, wanted) ? defined(likes[wanted]) : standIn).toLowerCase()) ??
    defined(families.values().next().value);
  return {
    chosen(family, weight) {
      const wanted = family.trim().toLowerCase();
      const found = families.get(wanted);
      return {
        font: nearest(found ?? standInOf(wanted), weight),
        isSubstitute: found === undefined && !generic.has(wanted),
      };
    },
    having(codePoints, weight, language = 'und') {
      const han = hanForms.find(([tag]) => tag.test(language))?.[1] ?? 'Noto Sans CJK JP';
      for (const fonts of fallbacks(families, han)) {
        const font = nearest(fonts, weight);
        if (codePoints.every((one) => font.glyphs().has(one))) return font;
      }
      return null;
    },
  };
}

/** Returns a rank for each family. The first family that has a character replaces a font that lacks the character. */
function fallbacks(families: ReadonlyMap<string, readonly Font[]>, han: string) {
  const rank = (family: string) => {
    if (family === 'noto sans') return 0;
    if (family === han.toLowerCase()) return 2;
    if (family.startsWith('noto sans cjk')) return 3;
    if (family.startsWith('noto sans ') && !/ (?:mono|cjk)\b/.test(family)) return 1;
    return family === 'symbola' ? 4 : family.startsWith('noto') ? 5 : 6;
  };
  return [...families]
    .sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .map(([, fonts]) => fonts);
}

/** Returns the font with the nearest weight (CSS Fonts 4 §5.2): for light weights, lighter fonts first; for heavy weights, heavier fonts first. */
function nearest(fonts: readonly Font[], weight: number): Font {
  const isLight = weight < 450;
  const rank = (font: Font) => {
    const difference = font.weight - weight;
    const isOnTheSide = isLight ? difference <= 0 : difference >= 0;
    return Math.abs(difference) + (isOnTheSide ? 0 : 0.5);
  };
  return fonts.reduce((best, font) => (rank(font) < rank(best) ? font : best));
}

function filesIn(folder: string): string[] {
  const names = noneIfBroken(() => readdirSync(folder)).filter((name) => /\.(?:ttf|otf|ttc)$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function noneIfBroken<Item>(read: () => Item[]): Item[] {
  try {
    return read();
  } catch {
    return [];
  }
}
