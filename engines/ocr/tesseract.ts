/** Tesseract in WebAssembly, which reads the lines of text that Kinora cuts out. `ENGINE_OCR=tesseract` */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'tesseract.js';
import type { Picture } from '../../media/pictures/picture.ts';
import { type Box, withinPicture } from '../../shared/boxes.ts';
import { engineUnavailable, internalError } from '../../shared/job-errors.ts';
import { primarySubtag } from '../engine.ts';
import { decodePixels, loadPackage, oneByOne, type Pixels, type Sharp } from '../local-packages.ts';
import { drawLine, findTextLines, type Line } from './find-text-lines.ts';
import { isConfidentText } from './is-text.ts';
import { type Ocr, ocrEngine, type SeenText } from './port.ts';

const trainedData: Readonly<Record<string, string>> = { en: 'eng', es: 'spa' };

export const tesseract = ocrEngine({
  name: 'tesseract',
  runs: ['local'],
  price: null,
  languages: Object.keys(trainedData),
  make: () => textByTesseract(),
});

/** The height of letters in the training data of the networks, pixels. Lines are scaled to this height, but at most by `MAX_SCALE`. */
const LETTER_HEIGHT = 34;
const MAX_SCALE = 4;
/** White space around a line, in pixels. */
const MARGIN = 16;

export const textByTesseract = (): Ocr => ({ read: oneByOne(readText) });

async function readText(picture: Picture, languages: readonly string[], signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  const sharp = loadPackage<Sharp>('sharp');
  const pixels = await decodePixels(sharp(picture.jpeg).greyscale());
  const lines = findTextLines(pixels);
  if (lines.length === 0) return [];
  const reader = await readerFor(languages);
  const texts: SeenText[] = [];
  for (const line of lines) {
    signal?.throwIfAborted();
    if (texts.some(({ box }) => isCovered(line, box, pixels))) continue;
    const { text, confidence } = await reader.read(
      await toPng(sharp, drawLine(line, pixels), line.letterHeight),
    );
    if (isConfidentText(text, confidence)) texts.push({ text, confidence, box: boxOf(line, pixels) });
  }
  return texts.toSorted((one, other) => one.box.y - other.box.y);
}

/** Returns true if a line that was already read covers more than half of the line. The line then consists of the insides or outlines of letters. */
function isCovered(line: Line, box: Box, pixels: Pixels): boolean {
  const { x, y, width, height } = boxOf(line, pixels);
  const across = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
  const down = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
  return across > 0.5 * Math.min(width, box.width) && down > 0.5 * Math.min(height, box.height);
}

const boxOf = ({ left, top, right, bottom }: Line, { width, height }: Pixels): Box =>
  withinPicture({
    x: left / width,
    y: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  });

function toPng(sharp: Sharp, { data, width, height }: Pixels, letterHeight: number): Promise<Buffer> {
  const scale = Math.min(MAX_SCALE, LETTER_HEIGHT / letterHeight);
  const size = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: size(width), height: size(height), fit: 'fill' })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: '#fff' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

type Reader = ReturnType<typeof toReader>;

/** The only recognizer of this process. It takes almost a second to start, and needs 100 MB. */
let current: { readonly names: string; readonly reader: Promise<Reader> } | undefined;

async function readerFor(languages: readonly string[]): Promise<Reader> {
  const known = languages.flatMap((tag) => trainedData[primarySubtag(tag)] ?? []);
  const names = [...new Set([...known, ...Object.values(trainedData)])].join('+');
  if (current?.names !== names) {
    const former = current?.reader;
    current = { names, reader: startReader(names.split('+')) };
    await former?.then((reader) => reader.end()).catch(() => {});
  }
  return current.reader;
}

async function startReader(names: readonly string[]): Promise<Reader> {
  const { createWorker, PSM } = loadPackage<typeof import('tesseract.js')>('tesseract.js');
  const packages = createRequire(import.meta.url);
  // Tesseract reads the trained data of all languages from one folder, but npm installs one package for each language.
  const folder = await mkdtemp(join(tmpdir(), 'tesseract-'));
  try {
    for (const name of names) {
      const home = dirname(packages.resolve(`@tesseract.js-data/${name}/package.json`));
      const file = `${name}.traineddata.gz`;
      await symlink(join(home, '4.0.0_best_int', file), join(folder, file));
    }
    const tesseract = await createWorker([...names], LSTM_ONLY, { langPath: folder, cacheMethod: 'none' });
    // The picture contains one line ("Page segmentation modes" in the manual of Tesseract).
    await tesseract.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_LINE, debug_file: '/dev/null' });
    return toReader(tesseract as TesseractWorker);
  } catch (cause) {
    current = undefined;
    throw engineUnavailable('Tesseract does not start here. Run `npm install`.', cause);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const LSTM_ONLY = 1;

/** Wraps Tesseract. Confidences are from 0 to 1. */
function toReader(tesseract: TesseractWorker) {
  // An idle reader must not keep the process alive.
  tesseract.worker.unref();
  return {
    async read(png: Buffer) {
      tesseract.worker.ref();
      try {
        const { data } = await tesseract.recognize(png, {}, { text: true });
        return { text: data.text.trim().replaceAll(/\s+/g, ' '), confidence: data.confidence / 100 };
      } catch (cause) {
        throw internalError('A line of text in a picture could not be read.', cause);
      } finally {
        tesseract.worker.unref();
      }
    },
    end: () => tesseract.terminate(),
  };
}

/** The types of the package do not declare `worker`. */
type TesseractWorker = Worker & { readonly worker: { ref(): void; unref(): void } };
