/** The paths of ffmpeg and ffprobe, or their names if they are on the PATH. Requires ffmpeg 5.0 (2022) or later. Tested with 5.1 of Debian 12. */
export type MediaTools = { ffmpeg: string; ffprobe: string };
