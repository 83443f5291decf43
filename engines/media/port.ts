/** Finds the programs that read and write media. */
import type { MediaTools } from '../../media/ffmpeg/media-tools.ts';
import { engineOf } from '../engine.ts';

export const mediaEngine = engineOf<MediaTools>();
