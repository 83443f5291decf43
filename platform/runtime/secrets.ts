/** Encrypts secrets in this environment: with KMS on AWS, and with a key of the machine locally. */
import { secrets as engines } from '../../engines/registry.ts';
import { Secrets } from '../../engines/secrets/envelope-encryption.ts';
import type { DataKeys } from '../../engines/secrets/port.ts';
import { engineFor } from './engines.ts';

let keys: Promise<DataKeys> | undefined;

/** Created when the first secret is used, because most requests of a resource need none. */
async function dataKeys(): Promise<DataKeys> {
  keys ??= Promise.resolve(engineFor('secrets', engines, {}));
  return keys;
}

const secrets = new Secrets({
  generate: async (context) => (await dataKeys()).generate(context),
  unwrap: async (wrapped, context) => (await dataKeys()).unwrap(wrapped, context),
});

export const tenantSecrets = (): Secrets => secrets;
