/** The media programs of this environment: a layer's on AWS, the machine's locally. */
import type { MediaTools } from '../../engines/media/port.ts';
import { media } from '../../engines/registry.ts';
import { engineFor } from './engines.ts';

export const mediaTools: MediaTools = engineFor('media', media, {});
