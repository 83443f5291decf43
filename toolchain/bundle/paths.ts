/** The paths of the build: its sources and its results. */
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const buildFolder = join(root, 'build');
export const lambdasFolder = join(buildFolder, 'lambdas');
export const mediaImageFolder = join(buildFolder, 'images', 'media');
export const metaFile = join(buildFolder, 'meta.json');
export const sampleEventsFolder = join(buildFolder, 'events');
export const assemblyFolder = join(root, 'cdk.out');

/** Returns the path of a function's bundle. @param name the logical id of the function */
export const bundleFile = (name: string): string => join(lambdasFolder, name, 'index.mjs');
