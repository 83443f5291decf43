/** The programs that read and write media. */
/** Paths of the programs, or names to look up in the usual folders. Any build since ffmpeg 5.0 (2022) does; tested with 5.1, which Debian 12 has. */
export type MediaTools = { ffmpeg: string; ffprobe: string };
