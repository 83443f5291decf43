/** Open Graph pictures, 1200 × 630: the page's title as a subtitle over a reel. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Resvg } from '@resvg/resvg-js';
import { openTypeOf } from './woff.ts';

export const pictureSize = { width: 1200, height: 630 } as const;

const family = 'Atkinson Hyperlegible Next';
const FONT_SIZE = 68;
const LINE_HEIGHT = 92;
const MAX_LINE_WIDTH = 1000;

interface PictureText {
  readonly title: string;
  /** The small line at the top: the section of the site. */
  readonly label: string;
}

/** Unpacks the fonts into the folder, and returns a function that draws a picture. */
export async function openStudio(folder: string): Promise<(text: PictureText) => Promise<Buffer>> {
  const { Resvg, renderAsync } = await import('@resvg/resvg-js');
  const font = {
    fontFiles: [400, 700].map((weight) => unpackFont(folder, weight)),
    loadSystemFonts: false,
    defaultFontFamily: family,
  };
  const measure = (line: string): number => widthOf(new Resvg(textElement(line), { font }));
  return async (text) => {
    const picture = await renderAsync(drawing(text, measure), { font });
    return picture.asPng();
  };
}

function unpackFont(folder: string, weight: number): string {
  const { resolve } = createRequire(import.meta.url);
  const packed = resolve(
    `@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-${weight}-normal.woff`,
  );
  const file = join(folder, `${weight}.ttf`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, openTypeOf(readFileSync(packed)));
  return file;
}

const textElement = (line: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="200"><text x="0" y="100" font-family="${family}" font-weight="700" font-size="${FONT_SIZE}">${escaped(line)}</text></svg>`;

const widthOf = (drawn: Resvg): number => drawn.getBBox()?.width ?? 0;

function drawing({ title, label }: PictureText, measure: (line: string) => number): string {
  const lines = wrap(title, measure);
  const top = pictureSize.height - 70 - lines.length * LINE_HEIGHT;
  const captions = lines.map((line, index) => caption(line, measure(line), top + index * LINE_HEIGHT));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}" font-family="${family}">
<rect width="1200" height="630" fill="#10151c"/>
${reel(600, 250, 84)}
<text x="64" y="92" font-size="34" font-weight="700" fill="#ffffff">Kinora</text>
<text x="1136" y="92" font-size="28" text-anchor="end" fill="#9fb2c4">${escaped(label)}</text>
${captions.join('\n')}
</svg>`;
}

function wrap(title: string, measure: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measure(longer) <= MAX_LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** One subtitle line: yellow on a black box, centred, as in broadcasts. */
function caption(line: string, width: number, y: number): string {
  const box = `<rect x="${600 - width / 2 - 22}" y="${y}" width="${width + 44}" height="${LINE_HEIGHT}" fill="#000000"/>`;
  return `${box}<text x="600" y="${y + 68}" text-anchor="middle" font-size="${FONT_SIZE}" font-weight="700" fill="#ffe94a">${escaped(line)}</text>`;
}

/** The reel of the logo from the side: cards around a hub, fanned out. */
function reel(x: number, y: number, cards: number): string {
  const spokes = Array.from({ length: cards }, (_, index) => {
    const turn = (index / cards) * 2 * Math.PI;
    const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
    const shade = 0.16 + 0.5 * ((1 + Math.cos(turn - 0.9)) / 2);
    return `<path d="M${(x + dx * 70).toFixed(1)} ${(y + dy * 70).toFixed(1)}L${(x + dx * 300).toFixed(1)} ${(y + dy * 300).toFixed(1)}" stroke="#6f93b5" stroke-opacity="${shade.toFixed(2)}" stroke-width="5"/>`;
  });
  return spokes.join('');
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
