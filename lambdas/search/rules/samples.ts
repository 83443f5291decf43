/** The samples of a search: a picture, a sound, or both. */
import { defined, lastOf } from '../../../shared/checked-access.ts';
import { Inconsistent } from '../../../shared/problems.ts';

type Samples = { readonly [Name in 'image' | 'audio']?: { readonly data_base64: string } };

/** The maximum size of all decoded samples together, bytes. It keeps a request below its size limit. */
const MAX_BYTES = 4 * 2 ** 20;

/** Throws validation_failed if the samples together are too large. */
export function requireSmallSamples({ image, audio }: Samples): void {
  const given = Object.entries({ image, audio }).filter(([, sample]) => sample !== undefined);
  const sizes = given.map(([, sample]) => bytesOf(defined(sample).data_base64));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= MAX_BYTES) return;
  const pointer = `/${lastOf(given)[0]}/data_base64`;
  const detail = `The samples have ${total} bytes; the maximum is ${MAX_BYTES}.`;
  throw new Inconsistent([{ pointer, code: 'too_long', detail }]);
}

/** RFC 4648 §4: four characters encode three bytes. Padding encodes nothing. */
const bytesOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
