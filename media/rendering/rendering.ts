/** Rendering by ffmpeg, x264 and libass. */
import { chunkIdentity, soundIdentity } from './identity.ts';
import { joinClip } from './joining.ts';
import { outputOf, planRender } from './planning.ts';
import type { Rendering } from './port.ts';
import { renderSound } from './sound.ts';
import { lookAtSource } from './source.ts';
import { renderChunk } from './video.ts';

export const rendering: Rendering = {
  lookAtSource,
  outputOf,
  planRender,
  chunkIdentity,
  soundIdentity,
  renderChunk,
  renderSound,
  joinClip,
};
