import { existsSync } from 'node:fs';

/** Whether this machine has Apertium with the pairs that the tests translate by. */
export const hasApertium = (): boolean =>
  existsSync('/usr/bin/cg-proc') &&
  ['eng-spa', 'es-fr', 'es-pt', 'spa-ita', 'spa-cat'].every((mode) =>
    existsSync(`/usr/share/apertium/modes/${mode}.mode`),
  );
