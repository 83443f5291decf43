/** The programs that read and write media. `ENGINE_MEDIA` names the engine. */
import type { MediaTools } from '../../media/ffmpeg/media-tools.ts';
import { engineOf } from '../engine.ts';

export const mediaEngine = engineOf<MediaTools>();
