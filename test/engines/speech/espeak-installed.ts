import { existsSync } from 'node:fs';

/** Whether this machine has the local speaker. */
export const hasEspeak = (): boolean =>
  ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((folder) => existsSync(`${folder}/espeak-ng`));
