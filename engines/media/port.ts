/** The programs that read and write media. */
import { engineOf } from '../engine.ts';

/** Paths of the programs, or names to look up in the usual folders. Tested with 5.1, which Debian 12 has. */
export type MediaTools = { ffmpeg: string; ffprobe: string };

export const mediaEngine = engineOf<MediaTools>();
