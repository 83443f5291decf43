/** Forms that texts have, and what a refusal calls them. Plain data, for schemas and for the validators' messages. */

import { exportVariables } from './storage-types.ts';

export interface Form {
  readonly pattern: string;
  /** Completes `text_color must be …`. */
  readonly expected: string;
}

/**
 * What no name may hold: controls, line and paragraph separators, and what has text around it read in another direction
 * (Unicode UAX #9 §2: embeddings, overrides and isolates), so that a name shows as what it is not.
 */
const unshown = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';

export const forms = {
  /**
   * A text of one line, as a person gives it: spaces, what is none, and the rest. No character fits two of these in turn, so that
   * whatever does not match is found out in one pass, and not in as many as it has characters.
   */
  line: {
    pattern: `^[^\\S${unshown}]*[^\\s${unshown}][^${unshown}]*$`,
    expected: 'one line of text that is not blank, without characters of control',
  },
  /** Without control characters but for tabs and the ends of lines, of Windows too. */
  text: {
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    expected: 'text without control characters, but for tabs and the ends of lines',
  },
  colour: { pattern: '^#[0-9A-Fa-f]{6}$', expected: 'a colour as `#RRGGBB`, such as #FFCC00' },
  // S3 user guide, "General purpose bucket naming rules"; Cloud Storage adds underscores.
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
      'the address of a container, such as https://account.blob.core.windows.net/container, without a token',
  },
  sasToken: { pattern: '^[^\\s]+$', expected: 'a shared access signature, without spaces' },
  roleArn: {
    pattern: '^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\\w+=,.@/-]+$',
    expected: 'the ARN of a role, such as arn:aws:iam::123456789012:role/kinora-export',
  },
  /**
   * Below a destination: neither absolute nor upwards, no folder without a name or one that ends in a dot or a space, which
   * some storages do not take; no variable but those that exist, and something between two.
   */
  exportPath: {
    pattern: `^(?!/)(?!.*//)(?!.*[.\\s](?:/|$))(?!(?:.*/)?\\s)(?!.*\\}\\{)(?:[^{}${unshown}\\u200e\\u200f\\u061c\\ufeff\\\\]|\\{(?:${exportVariables.join('|')})\\})+$`,
    expected:
      'a relative path whose folders have names that begin with no space and end with neither a dot nor a space, whose variables are {asset_id}, {asset_external_id}, {video_clip_id}, {language} and {format}, with something between two of them',
  },
  /** Where requests are sent over the web. Schemes are read without regard to case (RFC 3986 §3.1). */
  webAddress: {
    pattern:
      '^[Hh][Tt][Tt][Pp][Ss]?://(?:[^\\s/?#@]*@)?(?:[^\\s/?#@\\[\\]:\\\\]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#]\\S*)?$',
    expected: 'an address that begins with https:// or, where the service allows it, http://',
  },
  /** An address without user and password, which would be shown again. */
  liveAddress: {
    pattern: '^(?:rtmps?|srt|https?)://[^\\s@]+$',
    expected:
      'an address that begins with rtmp://, rtmps://, srt://, http:// or https://, without credentials',
  },
  base64: { pattern: '^[A-Za-z0-9+/]+={0,2}$', expected: 'base64 (RFC 4648 §4)' },
} as const satisfies Record<string, Form>;

/** What each format of JSON Schema expects. */
export const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID, such as 019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  'date-time': 'a time as ISO 8601 with its zone, such as 2026-11-21T09:30:00Z',
  uri: 'an absolute URI, such as https://example.com/',
};
