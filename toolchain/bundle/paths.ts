/** Where sources are read and what is built is written. */
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const buildFolder = join(root, 'build');
export const lambdasFolder = join(buildFolder, 'lambdas');
export const mediaImageFolder = join(buildFolder, 'images', 'media');
export const metaFile = join(buildFolder, 'meta.json');
export const assemblyFolder = join(root, 'cdk.out');
