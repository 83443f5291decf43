/** Copies the fonts of a plan to a folder, so that libass finds only these fonts. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Copies the fonts, and writes an empty fontconfig configuration, so that every machine draws with the same fonts. */
export async function installFonts(paths: readonly string[], folder: string) {
  const fonts = join(folder, 'fonts');
  await mkdir(fonts, { recursive: true });
  for (const path of paths) {
    await writeFile(join(fonts, basename(path)), withAllCharacters(await readFile(path)));
  }
  const configuration = join(folder, 'fonts.conf');
  await writeFile(configuration, nothingElse);
  return { folder: fonts, environment: { FONTCONFIG_FILE: configuration } };
}

const nothingElse = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig></fontconfig>
`;

/** Relabels the first of two Windows character maps, because libass would use this one (`charmap_magic`), and it has no emoji. */
function withAllCharacters(font: Buffer): Buffer {
  const isCollection = font.toString('latin1', 0, 4) === 'ttcf';
  const offsets = isCollection
    ? Array.from({ length: font.readUInt32BE(8) }, (_, at) => font.readUInt32BE(12 + 4 * at))
    : [0];
  for (const offset of offsets) renameSmallMap(font, offset);
  return font;
}

const WINDOWS = 3;
const OF_WINDOWS = { basic: 1, full: 10 };
const UNICODE = { platform: 0, basic: 3 };

function renameSmallMap(font: Buffer, offset: number): void {
  const tables = font.readUInt16BE(offset + 4);
  for (let at = offset + 12; at < offset + 12 + 16 * tables; at += 16) {
    if (font.toString('latin1', at, at + 4) !== 'cmap') continue;
    const cmap = font.readUInt32BE(at + 8);
    const count = font.readUInt16BE(cmap + 2);
    const places = Array.from({ length: count }, (_, map) => cmap + 4 + 8 * map);
    const find = (encoding: number) =>
      places.find(
        (place) => font.readUInt16BE(place) === WINDOWS && font.readUInt16BE(place + 2) === encoding,
      );
    const [basic, full] = [find(OF_WINDOWS.basic), find(OF_WINDOWS.full)];
    if (basic === undefined || full === undefined) continue;
    font.writeUInt16BE(UNICODE.platform, basic);
    font.writeUInt16BE(UNICODE.basic, basic + 2);
  }
}
