/** Name resolution that returns only allowed addresses. */
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';

export const notAllowed = (address: string) => `${address} is not an address of the public internet`;

/**
 * Resolves names as usual, but returns only allowed addresses. The connection uses exactly this result, so that a name
 * that changes between two look-ups gains nothing.
 */
export function onlyTo(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const usable = found.filter(({ address }) => allows(address));
      const [first] = usable;
      if (first === undefined) return callback(new Error(notAllowed(found[0]?.address ?? hostname)), '');
      return options.all ? callback(null, usable) : callback(null, first.address, first.family);
    });
}
