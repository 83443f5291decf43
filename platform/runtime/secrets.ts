/** What encrypts secrets in this environment: KMS on AWS, a key of the machine locally. */
import { secrets as engines } from '../../engines/registry.ts';
import { Secrets } from '../../engines/secrets/envelope-encryption.ts';
import type { DataKeys } from '../../engines/secrets/port.ts';
import { engineFor } from './engines.ts';

let keys: Promise<DataKeys> | undefined;

/** Made when a secret is first sealed or opened: most requests of a resource do neither. */
async function dataKeys(): Promise<DataKeys> {
  keys ??= Promise.resolve(engineFor('secrets', engines, {}));
  return keys;
}

const secrets = new Secrets({
  generate: async (context) => (await dataKeys()).generate(context),
  unwrap: async (wrapped, context) => (await dataKeys()).unwrap(wrapped, context),
});

export const tenantSecrets = (): Secrets => secrets;
