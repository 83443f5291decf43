/** Patterns of texts, with their names in error messages. Plain data, for schemas and for validators. */
import { exportVariables } from './storage-types.ts';

export interface Form {
  readonly pattern: string;
  /** The end of the error message `text_color must be …`. */
  readonly expected: string;
}

/**
 * Characters that no name may have: controls, line and paragraph separators, and characters that change the direction of
 * text (Unicode UAX #9 §2: embeddings, overrides and isolates), because these can make one name look like another.
 */
const unshown = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';

export const forms = {
  /**
   * One line of text from a person. The pattern has three parts: spaces, one character that is not a space, and the rest. No character
   * matches two adjacent parts, so that a text that does not match is rejected in linear time.
   */
  line: {
    pattern: `^[^\\S${unshown}]*[^\\s${unshown}][^${unshown}]*$`,
    expected: 'one line of text that is not blank, without control characters',
  },
  /** No control characters except tabs and line ends, including the line ends of Windows. */
  text: {
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    expected: 'text without control characters except tabs and line ends',
  },
  colour: { pattern: '^#[0-9A-Fa-f]{6}$', expected: 'a color as `#RRGGBB`, such as #FFCC00' },
  // S3 user guide, "General purpose bucket naming rules"; Cloud Storage also allows underscores.
  bucket: {
    pattern: '^[a-z0-9][a-z0-9._-]*[a-z0-9]$',
    expected: 'the name of a bucket: lower-case letters, digits, dots, hyphens and underscores',
  },
  region: {
    pattern: '^[a-z]{2}(?:-[a-z]+)+-[0-9]$',
    expected: 'the name of an AWS region, such as eu-west-1',
  },
  blobUrl: {
    pattern: `^https://(?!.*/\\.\\.?(?:/|$))[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?/[^\\s?#@\\\\${unshown}]*[^\\s?#@\\\\/${unshown}]/?$`,
    expected:
      'the URL of a container, such as https://account.blob.core.windows.net/container, without a token',
  },
  sasToken: { pattern: '^[^\\s]+$', expected: 'a shared access signature, without spaces' },
  roleArn: {
    pattern: '^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\\w+=,.@/-]+$',
    expected: 'the ARN of a role, such as arn:aws:iam::123456789012:role/kinora-export',
  },
  /**
   * A relative path below a destination, without `..`. Folder names must not be empty, and must not end in a dot or a
   * space, which some storages reject. Only known variables are allowed, with a character between two variables.
   */
  exportPath: {
    pattern: `^(?!/)(?!.*//)(?!.*[.\\s](?:/|$))(?!(?:.*/)?\\s)(?!.*\\}\\{)(?:[^{}${unshown}\\u200e\\u200f\\u061c\\ufeff\\\\]|\\{(?:${exportVariables.join('|')})\\})+$`,
    expected:
      'a relative path. Its folders must not begin with a space, nor end with a dot or a space. Its variables can be {asset_id}, {asset_external_id}, {video_clip_id}, {language} and {format}, with a character between two of them',
  },
  /** A URL with the scheme http or https, in any case (RFC 3986 §3.1). */
  webAddress: {
    pattern:
      '^[Hh][Tt][Tt][Pp][Ss]?://(?:[^\\s/?#@]*@)?(?:[^\\s/?#@\\[\\]:\\\\]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#]\\S*)?$',
    expected: 'a URL that begins with https:// or, where the service allows it, http://',
  },
  /** A URL without user and password, because answers show the URL. */
  liveAddress: {
    pattern: '^(?:rtmps?|srt|https?)://[^\\s@]+$',
    expected: 'a URL that begins with rtmp://, rtmps://, srt://, http:// or https://, without credentials',
  },
  base64: { pattern: '^[A-Za-z0-9+/]+={0,2}$', expected: 'base64 (RFC 4648 §4)' },
} as const satisfies Record<string, Form>;

/** Names of the formats of JSON Schema in error messages. */
export const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID, such as 019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  'date-time': 'an ISO 8601 time with its time zone, such as 2026-11-21T09:30:00Z',
  uri: 'an absolute URI, such as https://example.com/',
};
