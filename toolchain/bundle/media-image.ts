/** Stages what the image of the media steps is built from: `build/images/media`, its recipe with their bundles. */

import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mediaSteps } from '../../lib/jobs/steps.ts';
import { bundleFile, mediaImageFolder, root } from './paths.ts';

/** Where the recipe is. */
const recipe = join(root, 'lib', 'jobs', 'media-image');

export const stagedBundle = (name: string): string => join(mediaImageFolder, 'functions', name, 'index.mjs');

export function isMediaImageStaged(): boolean {
  return mediaSteps.every((name) => existsSync(stagedBundle(name)));
}

export function stageMediaImage(): void {
  rmSync(mediaImageFolder, { recursive: true, force: true });
  cpSync(recipe, mediaImageFolder, { recursive: true });
  for (const name of mediaSteps) {
    mkdirSync(dirname(stagedBundle(name)), { recursive: true });
    cpSync(bundleFile(name), stagedBundle(name));
  }
}
