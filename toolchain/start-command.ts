/** The command that starts the local cloud in the foreground. Programs run it in the background. */
import { join } from 'node:path';
import { root } from './bundle/paths.ts';

export const startCommand = join(root, 'scripts', 'start.ts');
