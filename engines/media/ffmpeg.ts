/** ffmpeg. On a laptop, this is the installed program; in a deployment, Debian's package in the container image (lib/jobs/media-image). */
import type { MediaTools } from '../../media/ffmpeg/serve-ranges.ts';
import { engineOf } from '../engine.ts';

export const ffmpeg = engineOf<MediaTools>()({
  name: 'ffmpeg',
  runs: ['aws', 'local'],
  settings: {
    FFMPEG_PATH: {
      description: 'Path or name of ffmpeg',
      default: 'ffmpeg',
      deployed: '/usr/bin/ffmpeg',
      program: true,
    },
    FFPROBE_PATH: {
      description: 'Path or name of ffprobe',
      default: 'ffprobe',
      deployed: '/usr/bin/ffprobe',
      program: true,
    },
  },
  make: ({ settings }): MediaTools => ({ ffmpeg: settings.FFMPEG_PATH, ffprobe: settings.FFPROBE_PATH }),
});
