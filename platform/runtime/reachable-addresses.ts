/** Where requests on tenants' behalf may go in this environment. */
import { isPublicAddress } from '../../shared/public-addresses.ts';
import { environment } from './environment.ts';

/** On a developer's machine, what is reached runs on the same machine. */
export const mayGoTo = (address: string): boolean =>
  environment.engines === 'local' || isPublicAddress(address);
