/** Arguments of ffmpeg for local files that this service made. */

/** Opens a local file, but no other files that it refers to. @param formats ffmpeg's names of the allowed demuxers */
export const openLocalFile = (path: string, formats: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', formats, '-i', `file:${path}`],
];

/** Writes a file. Overwrites the file of a failed attempt. */
export const writeLocalFile = (path: string, format: string): string[] => [
  '-f',
  format,
  '-y',
  `file:${path}`,
];
