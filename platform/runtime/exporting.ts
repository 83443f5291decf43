/** The engine of this environment that writes to external storages. */
import type { StorageWriter } from '../../engines/exporting/port.ts';
import { exporting } from '../../engines/registry.ts';
import { engineFor } from './engines.ts';
import { environment } from './environment.ts';
import { mayGoTo } from './reachable-addresses.ts';

export const storageWriter = async (): Promise<StorageWriter> =>
  engineFor('exporting', exporting, {
    allows: mayGoTo,
    ownBuckets: [environment.mediaBucket],
    pathStyle: environment.localS3,
    schemes: environment.reachesAll ? ['https', 'http'] : ['https'],
  });
