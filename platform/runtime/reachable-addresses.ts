/** The addresses to which this environment may send requests for tenants. */
import { isPublicAddress } from '../../shared/public-addresses.ts';
import { environment } from './environment.ts';

/** True for public addresses. Locally, true for all addresses, because the receivers run on the same machine. */
export const mayGoTo = (address: string): boolean => environment.reachesAll || isPublicAddress(address);
