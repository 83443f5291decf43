/** What starts the local cloud in the foreground, for those who start it in the background. */
import { join } from 'node:path';
import { root } from './bundle/paths.ts';

export const startCommand = join(root, 'scripts', 'start.ts');
