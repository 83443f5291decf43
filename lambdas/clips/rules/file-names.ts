import type { VideoClip } from './clips.ts';

type Named = Pick<VideoClip, 'start_ms' | 'end_ms' | 'aspect_ratio_x' | 'aspect_ratio_y' | 'video_clip_id'>;

/** The maximum number of bytes of the media's name. File systems allow 255, and the added parts have fewer than 60. */
const MOST_NAME_BYTES = 180;

/** `The evening news 0.12-0.42 9x16 es.mp4`: the media, the span, the aspect ratio and the subtitle language. */
export function clipFileName(clip: Named, asset: { readonly name: string }, language: string | null): string {
  const { aspect_ratio_x: x, aspect_ratio_y: y } = clip;
  const title = cut(safe(asset.name.replace(/\.[A-Za-z0-9]{2,4}$/, ''))) || 'clip';
  const parts = [
    title,
    `${clockOf(clip.start_ms)}-${clockOf(clip.end_ms)}`,
    ...(x === null ? [] : [`${x}x${y}`]),
    ...(language === null ? [] : [language]),
  ];
  return `${parts.join(' ')}.mp4`;
}

/** RFC 6266 §5: an ASCII name for old clients, then the name in UTF-8. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  // RFC 8187 §3.2.1 allows fewer unescaped characters than encodeURIComponent.
  const coded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
}

/** Removes folder separators, characters that change the text direction, and characters that Windows forbids. */
const safe = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');

function cut(text: string): string {
  const characters = [...text];
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters.pop();
  return characters.join('').trimEnd();
}

/** `1.02.03` for 1 h 2 min 3 s. Windows allows no colon in names. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    two(seconds % 60),
  ];
  return hours > 0 ? `${hours}.${two(minutes)}.${rest}` : `${minutes}.${rest}`;
}
