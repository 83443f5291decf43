/** The media programs of this environment: a layer's on AWS, the machine's locally. */
import type { MediaTools } from '../../engines/media/ffmpeg.ts';
import { environment } from './environment.ts';

export const mediaTools: MediaTools = { ffmpeg: environment.ffmpeg, ffprobe: environment.ffprobe };
