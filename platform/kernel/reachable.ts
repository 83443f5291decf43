/** Refuses addresses in private networks, for every member with an address to which Kinora sends requests. */
import { Inconsistent } from '../../shared/problems.ts';
import { addressFault } from '../../shared/public-addresses.ts';
import { environment } from '../runtime/environment.ts';

/**
 * Throws validation_failed if the address is not valid, or not on the public internet. Locally, all addresses are
 * allowed, because receivers run on the same machine.
 * @param pointer JSON pointer to the member with the address
 * @param schemes the schemes that the address may have
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
  if (environment.reachesAll) return;
  const detail = addressFault(address, schemes);
  if (detail !== null) throw new Inconsistent([{ pointer, code: 'not_allowed', detail }]);
}
