import { existsSync } from 'node:fs';

/** Whether this machine has eSpeak NG. */
export const hasEspeak = (): boolean => existsSync('/usr/bin/espeak-ng');
