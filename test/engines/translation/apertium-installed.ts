import { existsSync } from 'node:fs';

/** Returns true if Apertium is installed with the language pairs of the tests. */
export const hasApertium = (): boolean =>
  existsSync('/usr/bin/cg-proc') &&
  ['eng-spa', 'es-fr', 'es-pt', 'spa-ita', 'spa-cat'].every((mode) =>
    existsSync(`/usr/share/apertium/modes/${mode}.mode`),
  );
