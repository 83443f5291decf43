/** The font of the site, which npm installs, for programs that need a file. Fonts of the system differ. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openTypeOf } from '../../content/output/woff.ts';

export function siteFontIn(folder: string): string {
  const file = join(folder, 'font.ttf');
  const packed = createRequire(import.meta.url).resolve(
    '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff',
  );
  writeFileSync(file, openTypeOf(readFileSync(packed)));
  return file;
}
