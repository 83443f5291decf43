/** Name resolution that leads to allowed addresses alone. */
import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';

export const notAllowed = (address: string) => `${address} is not an address of the public internet`;

/**
 * Resolves names as usual, but to allowed addresses alone. It is asked for the very address that the connection is made
 * to: a name that leads elsewhere at its second look-up gains nothing.
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
