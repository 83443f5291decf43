import { existsSync } from 'node:fs';

export const hasApertium = (): boolean =>
  existsSync('/usr/bin/cg-proc') &&
  ['eng-spa', 'es-fr', 'es-pt', 'spa-ita', 'spa-cat'].every((mode) =>
    existsSync(`/usr/share/apertium/modes/${mode}.mode`),
  );
