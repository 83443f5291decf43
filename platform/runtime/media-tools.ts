/** The media programs of this environment: in the container image on AWS, and installed on the machine locally. */
import { media } from '../../engines/registry.ts';
import type { MediaTools } from '../../media/ffmpeg/serve-ranges.ts';
import { engineFor } from './engines.ts';

export const mediaTools: MediaTools = engineFor('media', media, {});
