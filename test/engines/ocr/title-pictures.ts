/** Makes pictures with known texts and places. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import type { Picture } from '../../../media/pictures/picture.ts';
import { cat, coffee, grass } from '../../fixtures/photographs.ts';
import { siteFontIn } from '../../support/site-font.ts';

const WIDTH = 1280;
const HEIGHT = 720;

interface Title {
  readonly text: string;
  /** Left end of the baseline, and size of the font, in pixels of 1280 × 720. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly colour: string;
  /** Color of an outline around the letters, as in subtitles. */
  readonly outline?: string;
}

const font = siteFontIn(mkdtempSync(join(tmpdir(), 'titles-')));

export async function drawn({ behind, titles, panel = '' }: Scene): Promise<Picture> {
  const texts = titles.map(({ text, x, y, size, colour, outline }) => {
    const stroke = outline ? `stroke="${outline}" stroke-width="${size / 8}" paint-order="stroke"` : '';
    return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" ${stroke}>${text}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${panel}${texts.join('')}</svg>`;
  const text = new Resvg(svg, {
    font: { fontFiles: [font], loadSystemFonts: false, defaultFontFamily: 'Atkinson Hyperlegible Next' },
  });
  const size = { width: WIDTH, height: HEIGHT };
  const base =
    typeof behind === 'string'
      ? sharp({ create: { ...size, channels: 3, background: behind } })
      : sharp(behind).resize({ ...size, fit: 'cover' });
  const jpeg = await base
    .composite([{ input: text.render().asPng() }])
    .jpeg({ quality: 85 })
    .toBuffer();
  return { at_ms: 0, frame: 0, ...size, jpeg };
}

interface Scene {
  /** A photograph or a color. */
  readonly behind: Buffer | string;
  /** From top to bottom. */
  readonly titles: readonly Title[];
  readonly panel?: string;
}

export const scenes: Readonly<Record<string, Scene>> = {
  'a card, white on black': {
    behind: '#000',
    titles: [
      { text: 'The Quiet River', x: 240, y: 320, size: 72, colour: '#fff' },
      { text: 'A film by Ana Ruiz', x: 400, y: 420, size: 40, colour: '#fff' },
    ],
  },
  'a card in Spanish, black on white': {
    behind: '#fff',
    titles: [
      { text: 'Capítulo 2: El niño', x: 200, y: 300, size: 64, colour: '#000' },
      { text: '¿Qué pasó en el camión?', x: 200, y: 400, size: 44, colour: '#222' },
    ],
  },
  'a card in colours': {
    behind: '#103060',
    titles: [{ text: 'BREAKING NEWS', x: 200, y: 360, size: 80, colour: '#ffcc00' }],
  },
  'a name on a panel over a photograph': {
    behind: coffee,
    titles: [
      { text: 'María Peña', x: 90, y: 615, size: 44, colour: '#fff' },
      { text: 'Directora de producción', x: 90, y: 660, size: 28, colour: '#ddd' },
    ],
    panel: '<rect x="60" y="560" width="640" height="120" fill="#102040" fill-opacity="0.85"/>',
  },
  'a subtitle with an outline over a photograph': {
    behind: cat,
    titles: [
      { text: 'I never said that it was mine.', x: 280, y: 650, size: 44, colour: '#fff', outline: '#000' },
    ],
  },
  'yellow letters over grass': {
    behind: grass,
    titles: [{ text: 'Spring is here', x: 100, y: 380, size: 70, colour: '#ffee33', outline: '#000' }],
  },
  'a small clock in a corner': {
    behind: coffee,
    titles: [{ text: 'LIVE 14:32', x: 1090, y: 50, size: 26, colour: '#fff' }],
  },
};

export const textsOf = ({ titles }: Scene) => titles.map(({ text }) => text);
