/** Paths of ffmpeg and ffprobe, or names in the usual folders. Builds since ffmpeg 5.0 (2022) work; tested with 5.1 of Debian 12. */
export type MediaTools = { ffmpeg: string; ffprobe: string };
