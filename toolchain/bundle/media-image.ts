/** Copies files next to the bundles: the files for building the image of the media steps, and the files that the canary uploads. */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mediaSteps } from '../../lib/jobs/steps.ts';
import { bundleFile, lambdasFolder, mediaImageFolder, root } from './paths.ts';

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

export const canarySources = 'content/canary';

const folder = join(lambdasFolder, 'Canary', 'files');

export const isCanaryStaged = (): boolean => existsSync(folder);

export function stageCanary(): void {
  cpSync(join(root, canarySources), folder, { recursive: true });
}
