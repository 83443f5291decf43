/** Files of our own that ffmpeg reads and writes by their path. */

/** Opens a file that was made here, and nothing that it refers to. @param formats ffmpeg's names of demuxers */
export const openLocalFile = (path: string, formats: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', formats, '-i', `file:${path}`],
];

/** Writes over what a failed attempt may have left. */
export const writeLocalFile = (path: string, format: string): string[] => [
  '-f',
  format,
  '-y',
  `file:${path}`,
];
