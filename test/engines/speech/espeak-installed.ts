import { existsSync } from 'node:fs';

export const hasEspeak = (): boolean => existsSync('/usr/bin/espeak-ng');
