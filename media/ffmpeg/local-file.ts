/** ffmpeg's arguments for local files that this service made. */

/** Opens a local file, but no file that it refers to. @param formats ffmpeg's names of demuxers */
export const openLocalFile = (path: string, formats: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', formats, '-i', `file:${path}`],
];

/** Overwrites a file that a failed attempt may have left. */
export const writeLocalFile = (path: string, format: string): string[] => [
  '-f',
  format,
  '-y',
  `file:${path}`,
];
