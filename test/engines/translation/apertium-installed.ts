import { existsSync } from 'node:fs';

/** Whether this machine has Apertium with the pairs that the tests translate by. */
export const hasApertium = (): boolean =>
  ['eng-spa', 'es-fr'].every((mode) => existsSync(`/usr/share/apertium/modes/${mode}.mode`));
