import { existsSync } from 'node:fs';

/** Returns true if eSpeak NG is installed. */
export const hasEspeak = (): boolean => existsSync('/usr/bin/espeak-ng');
