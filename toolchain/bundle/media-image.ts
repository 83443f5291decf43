/** Prepares the build of the image for the media steps: copies its Dockerfile and the bundles to `build/images/media`. */

import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mediaSteps } from '../../lib/jobs/steps.ts';
import { bundleFile, mediaImageFolder, root } from './paths.ts';

/** The folder of the Dockerfile. */
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
