/** The media programs of this environment: from a Lambda layer on AWS, and from the machine locally. */
import { media } from '../../engines/registry.ts';
import type { MediaTools } from '../../media/ffmpeg/serve-ranges.ts';
import { engineFor } from './engines.ts';

export const mediaTools: MediaTools = engineFor('media', media, {});
