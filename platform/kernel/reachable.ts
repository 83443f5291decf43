/** Refuses addresses that nobody but us could reach, wherever a tenant says where requests shall go. */

import { Inconsistent } from '../../shared/problems.ts';
import { addressFault } from '../../shared/public-addresses.ts';
import { environment } from '../runtime/environment.ts';

/**
 * Throws validation_failed where the address is none, or not one of the public internet. On a developer's machine, what is
 * reached runs on the same machine.
 * @param pointer to the member that holds the address
 * @param schemes that it may have
 */
export function requireReachable(
  address: string | null | undefined,
  pointer: string,
  schemes?: readonly string[],
): void {
  if (address === null || address === undefined) return;
  if (!URL.canParse(address)) {
    const detail = `${pointer.slice(pointer.lastIndexOf('/') + 1)} is no address: check its host and port.`;
    throw new Inconsistent([{ pointer, code: 'invalid_format', detail }]);
  }
  if (environment.engines === 'local') return;
  const detail = addressFault(address, schemes);
  if (detail !== null) throw new Inconsistent([{ pointer, code: 'not_allowed', detail }]);
}
