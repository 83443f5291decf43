/** The programs that read and write media. */
import { engineOf } from '../engine.ts';

/** Paths of the programs, or names to look up in the usual folders. Any build since ffmpeg 5.0 (2022) does. */
export type MediaTools = { ffmpeg: string; ffprobe: string };

export const mediaEngine = engineOf<MediaTools>();
