/** Writes texts, colors and times in the format Advanced SubStation Alpha, as libass 0.17 reads it. */

// Control characters, and separators of lines and paragraphs. They would break the line.
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\ufeff]+/gu;

export const shownLine = (text: string): string => text.toWellFormed().replace(CONTROLS, ' ').trim();

/** Escapes braces with a backslash. A word joiner, which is invisible, separates any other backslash from the next letter. */
export const escaped = (text: string): string =>
  text.replace(/[{}]/g, '\\$&').replace(/\\(?![{}])/g, '\\\u2060');

/** Returns a time as `H:MM:SS.cc`. The format has only hundredths of a second. */
export function assTime(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10));
  const [s, m, h] = [hundredths / 100, hundredths / 6000, hundredths / 360_000].map(Math.floor) as [
    number,
    number,
    number,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${h}:${two(m % 60)}:${two(s % 60)}.${two(hundredths % 100)}`;
}

/** Rounds to hundredths of a pixel, so that every machine writes the same text. */
export const length = (pixels: number): string => String(Math.round(pixels * 100) / 100);

/** Returns an alpha value as `&HAA&`. The value 0 is opaque. */
export const alpha = (opacity: number): string =>
  `&H${Math.round((1 - Math.min(1, Math.max(0, opacity))) * 255)
    .toString(16)
    .padStart(2, '0')
    .toUpperCase()}&`;

/** The weights of red and blue in the luma, by the name of the color matrix (H.273). */
const matrices: Readonly<Record<string, readonly [red: number, blue: number]>> = {
  bt709: [0.2126, 0.0722],
  bt2020nc: [0.2627, 0.0593],
  fcc: [0.3, 0.11],
  smpte240m: [0.212, 0.087],
};
/** The matrix of BT.601, with which ffmpeg 5.1 draws all subtitles. */
const drawn = [0.299, 0.114] as const;

/** Converts `#RRGGBB` to `&HBBGGRR&`, corrected for the picture's matrix. Uncorrected, green would differ by up to 37 of 255. */
export function colour(rgb: string, matrix: string): string {
  const given = [1, 3, 5].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16)) as [number, number, number];
  const own = matrices[matrix];
  const [red, green, blue] = own === undefined ? given : fromYuv(toYuv(given, own), drawn);
  const hex = [blue, green, red].map((value) =>
    Math.round(Math.min(255, Math.max(0, value)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `&H${hex.join('').toUpperCase()}&`;
}

type Triple = readonly [number, number, number];

function toYuv([red, green, blue]: Triple, [kr, kb]: readonly [number, number]): Triple {
  const y = kr * red + (1 - kr - kb) * green + kb * blue;
  return [y, (blue - y) / (2 * (1 - kb)), (red - y) / (2 * (1 - kr))];
}

function fromYuv([y, u, v]: Triple, [kr, kb]: readonly [number, number]): Triple {
  const [red, blue] = [y + 2 * (1 - kr) * v, y + 2 * (1 - kb) * u];
  return [red, (y - kr * red - kb * blue) / (1 - kr - kb), blue];
}
