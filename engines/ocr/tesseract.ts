/** Tesseract in WebAssembly: lines of letters are found by us, cut out of the picture, and read one by one. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Picture } from '../../media/pictures/picture.ts';
import { type Box, withinPicture } from '../../shared/boxes.ts';
import { engineUnavailable, internalError } from '../../shared/job-errors.ts';
import { primarySubtag } from '../engine.ts';
import type { GreyPixels } from './find-blobs.ts';
import { drawn, type Line, linesOf } from './find-text-lines.ts';
import { isSurelyText } from './is-text.ts';
import { type Ocr, ocrEngine, type SeenText } from './port.ts';

/** Packages of trained data, by primary subtag. */
const trained: Readonly<Record<string, string>> = { en: 'eng', es: 'spa' };

export const tesseract = ocrEngine({
  name: 'tesseract',
  runs: ['local'],
  price: null,
  languages: Object.keys(trained),
  settings: {},
  permissions: {},
  make: () => textByTesseract(),
});

/** Letters are brought to this height, in pixels, in which the networks were trained; small ones at most so many times. */
const LETTER_HEIGHT = 34;
const MOST_ENLARGED = 4;
/** White around a line, in pixels. */
const MARGIN = 16;
/** A line of text, of "Page segmentation modes" in Tesseract's manual. */
const ONE_LINE = '7';

export function textByTesseract(): Ocr {
  // One picture at a time, since there is one reader.
  let before: Promise<unknown> = Promise.resolve();
  return {
    read(picture, languages, signal) {
      const texts = before.then(() => textsIn(picture, languages, signal));
      before = texts.catch(() => {});
      return texts;
    },
  };
}

async function textsIn(
  picture: Picture,
  languages: readonly string[],
  signal: AbortSignal | undefined,
): Promise<SeenText[]> {
  signal?.throwIfAborted();
  const sharp = loaded('sharp') as Sharp;
  const pixels = await greyOf(sharp, picture);
  const lines = linesOf(pixels);
  if (lines.length === 0) return [];
  const reader = await readerOf(languages);
  const texts: SeenText[] = [];
  for (const line of lines) {
    signal?.throwIfAborted();
    if (texts.some(({ box }) => isCovered(line, box, pixels))) continue;
    const { text, confidence } = await reader.read(await imageOf(sharp, drawn(line, pixels), line.letter));
    if (isSurelyText(text, confidence)) texts.push({ text, confidence, box: boxOf(line, pixels) });
  }
  return texts.toSorted((one, other) => one.box.y - other.box.y);
}

/** Whether half of a line was read already: it is the insides of letters, or what is around them. */
function isCovered(line: Line, box: Box, pixels: GreyPixels): boolean {
  const { x, y, width, height } = boxOf(line, pixels);
  const across = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
  const down = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
  return across > 0.5 * Math.min(width, box.width) && down > 0.5 * Math.min(height, box.height);
}

const boxOf = ({ left, top, right, bottom }: Line, { width, height }: GreyPixels): Box =>
  withinPicture({
    x: left / width,
    y: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  });

async function greyOf(sharp: Sharp, { jpeg }: Picture): Promise<GreyPixels> {
  try {
    const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (cause) {
    throw internalError('A picture of the video could not be decoded.', cause);
  }
}

/** A PNG of the line, with letters as high as the reader likes them. */
function imageOf(sharp: Sharp, { data, width, height }: GreyPixels, letter: number): Promise<Buffer> {
  const scale = Math.min(MOST_ENLARGED, LETTER_HEIGHT / letter);
  const size = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: size(width), height: size(height), fit: 'fill' })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: '#fff' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

interface Reader {
  /** Confidence from 0 to 1. */
  read(png: Buffer): Promise<{ text: string; confidence: number }>;
  end(): Promise<void>;
}

/** The reader of this process: starting one takes most of a second, and each holds 100 MB. */
let current: { readonly names: string; readonly reader: Promise<Reader> } | undefined;

async function readerOf(languages: readonly string[]): Promise<Reader> {
  const known = languages.flatMap((tag) => trained[primarySubtag(tag)] ?? []);
  const names = [...new Set([...known, ...Object.values(trained)])].join('+');
  if (current?.names !== names) {
    const former = current?.reader;
    current = { names, reader: startReader(names.split('+')) };
    await former?.then((reader) => reader.end()).catch(() => {});
  }
  return current.reader;
}

async function startReader(names: readonly string[]): Promise<Reader> {
  const { createWorker } = loaded('tesseract.js') as Tesseract;
  const packages = createRequire(import.meta.url);
  // Tesseract takes trained data of several languages from one folder, and npm brings one each.
  const folder = await mkdtemp(join(tmpdir(), 'tesseract-'));
  try {
    for (const name of names) {
      const home = dirname(packages.resolve(`@tesseract.js-data/${name}/package.json`));
      const file = `${name}.traineddata.gz`;
      await symlink(join(home, '4.0.0_best_int', file), join(folder, file));
    }
    const made = await createWorker([...names], LSTM_ONLY, { langPath: folder, cacheMethod: 'none' });
    await made.setParameters({ tessedit_pageseg_mode: ONE_LINE, debug_file: '/dev/null' });
    return readerBy(made);
  } catch (cause) {
    current = undefined;
    throw engineUnavailable('Tesseract does not start here: npm install brings its packages.', cause);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const LSTM_ONLY = 1;

function readerBy(made: TesseractWorker): Reader {
  // A process may end although its reader waits for work.
  made.worker.unref();
  return {
    async read(png) {
      made.worker.ref();
      try {
        const { data } = await made.recognize(png, {}, { text: true });
        return { text: data.text.trim().replaceAll(/\s+/g, ' '), confidence: data.confidence / 100 };
      } catch (cause) {
        throw internalError('A line of text in a picture could not be read.', cause);
      } finally {
        made.worker.unref();
      }
    },
    end: () => made.terminate(),
  };
}

function loaded(name: 'sharp' | 'tesseract.js'): unknown {
  try {
    return createRequire(import.meta.url)(name);
  } catch (cause) {
    throw engineUnavailable(`The package ${name} does not run here: npm install brings it.`, cause);
  }
}

/** The parts of the packages that are used. */
type Sharp = (
  input: Uint8Array,
  options?: { raw: { width: number; height: number; channels: 1 } },
) => {
  greyscale(): { raw(): { toBuffer(options: { resolveWithObject: true }): Promise<Decoded> } };
  resize(options: { width: number; height: number; fit: 'fill' }): {
    extend(margins: Record<'top' | 'bottom' | 'left' | 'right', number> & { background: string }): {
      png(options: { compressionLevel: number }): { toBuffer(): Promise<Buffer> };
    };
  };
};
interface Decoded {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
}
interface Tesseract {
  createWorker(
    languages: string[],
    mode: number,
    options: { langPath: string; cacheMethod: 'none' },
  ): Promise<TesseractWorker>;
}
interface TesseractWorker {
  readonly worker: { ref(): void; unref(): void };
  setParameters(parameters: Record<string, string>): Promise<unknown>;
  recognize(
    image: Buffer,
    options: object,
    output: { text: true },
  ): Promise<{ data: { text: string; confidence: number } }>;
  terminate(): Promise<void>;
}
