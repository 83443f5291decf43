/**
 * The path of an exported file in a storage. If the template would give two files the same path, ids are added at the
 * end. Values are made safe for object keys.
 */
import {
  type ExportFormat,
  type ExportVariable,
  exportFormats,
} from '../../../contract/kit/storage-types.ts';
import { lastOf } from '../../../shared/checked-access.ts';

/** Facts that distinguish an exported file from all others of its tenant. */
export interface Exported {
  readonly asset_id: string;
  readonly external_id: string | null;
  readonly format: ExportFormat;
  /** BCP 47 tag of a transcription. */
  readonly language?: string;
  readonly video_clip_id?: string;
  readonly metadata_id?: string;
}

const usual = 'kinora/{asset_id}/';
/** The longest object key. S3 and Google Cloud Storage count bytes, Azure counts characters. */
export const MAX_PATH_BYTES = 1024;

type Values = Readonly<Partial<Record<ExportVariable, string>>>;

export function exportPath(template: string | null, exported: Exported): string {
  const pattern = template ?? usual;
  const values = valuesOf(exported);
  const segments = pattern.split('/');
  const folders = segments.slice(0, -1).map((segment) => filled(segment, values));
  const { ending } = exportFormats[exported.format];
  const name = filled(withoutEnding(lastOf(segments), exported.format), values);
  const parts = [name, ...missing(pattern, exported)].filter((part) => part !== '');
  const file = `${parts.join('.') || 'file'}.${ending}`;
  return [...folders, file]
    .filter((segment) => segment !== '')
    .map(withoutDots)
    .join('/');
}

function valuesOf({ asset_id, external_id, format, language, video_clip_id }: Exported): Values {
  return {
    asset_id,
    asset_external_id: safe(external_id ?? asset_id),
    format,
    ...(language !== undefined && { language }),
    ...(video_clip_id !== undefined && { video_clip_id }),
  };
}

/** Fills in variables. A variable without a value is removed with the separator before it, or after it at the start. */
function filled(segment: string, values: Values): string {
  const parts = segment.split(/\{(\w+)\}/);
  return parts.reduce((text, part, at) => {
    if (at % 2 === 0) return text === '' && at > 0 ? part.replace(/^[-_. ]+/, '') : text + part;
    const value = values[part as ExportVariable];
    return value === undefined ? text.replace(/[-_. ]+$/, '') : text + value;
  }, '');
}

/** Removes the file extension of a template. It is added again, after the missing ids. */
function withoutEnding(segment: string, format: ExportFormat): string {
  const endings = [`.${exportFormats[format].ending}`, `.${format}`, '.{format}'];
  const ending = endings.find((each) => segment.endsWith(each) && segment.length > each.length);
  return ending === undefined ? segment : segment.slice(0, -ending.length);
}

function missing(template: string, { asset_id, language, video_clip_id, metadata_id }: Exported): string[] {
  const has = (...names: ExportVariable[]) => names.some((name) => template.includes(`{${name}}`));
  // The id of a clip also identifies its asset.
  const tellsAsset =
    has('asset_id', 'asset_external_id') || (video_clip_id !== undefined && has('video_clip_id'));
  return [
    ...(tellsAsset ? [] : [asset_id]),
    ...(language === undefined || has('language') ? [] : [language]),
    ...(video_clip_id === undefined || has('video_clip_id') ? [] : [video_clip_id]),
    ...(metadata_id === undefined ? [] : [metadata_id]),
  ];
}

/**
 * Makes a value safe within one segment of a key. Normalizes the value to NFC. Percent-encodes separators, control
 * characters, and characters that change the text direction. A percent sign that looks like an encoding is encoded
 * too, so that different values stay different.
 */
function safe(value: string): string {
  return value
    .toWellFormed()
    .normalize('NFC')
    .replace(
      /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff/\\]|%(?=[0-9A-Fa-f]{2})/gu,
      encodeURIComponent,
    );
}

/** Encodes dots at the end. `.` and `..` are not valid names, and Azure rejects segments that end in a dot. */
const withoutDots = (segment: string): string => segment.replace(/\.+$/, (dots) => '%2E'.repeat(dots.length));
