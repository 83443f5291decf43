/** The renderer that uses ffmpeg, x264 and libass. */

import { inspectSource } from './inspect-source.ts';
import { joinClip } from './join-clip.ts';
import { chunkIdentity, soundIdentity } from './part-identity.ts';
import { outputOf, planRender } from './plan-render.ts';
import type { Rendering } from './port.ts';
import { renderChunk } from './render-chunk.ts';
import { renderSound } from './render-sound.ts';

export const rendering: Rendering = {
  inspectSource,
  outputOf,
  planRender,
  chunkIdentity,
  soundIdentity,
  renderChunk,
  renderSound,
  joinClip,
};
