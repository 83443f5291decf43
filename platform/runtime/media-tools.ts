/** The media programs of this environment: a layer's on AWS, the machine's locally. */

import { media } from '../../engines/registry.ts';
import type { MediaTools } from '../../media/ffmpeg/media-tools.ts';
import { engineFor } from './engines.ts';

export const mediaTools: MediaTools = engineFor('media', media, {});
