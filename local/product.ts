/** The product that the local cloud serves, and how it is built. */
import { type LocalTemplate, readTemplate } from './template/index.ts';

/** The region and account of the local cloud, for signatures and ARNs. */
export const region = 'us-east-1';
export const accountId = '000000000000';

export type KeyStore = {
  endpoint: string;
  region: string;
  authTable: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** The caller of the local cloud implements this. The local cloud serves the result and does not know how it is built. */
export interface Product {
  /** The local cloud serves the stacks whose names begin with this. */
  readonly stackPrefix: string;
  /** Returns the directory of a cloud assembly (`cdk.out`). Builds it first if its sources have changed. */
  assembly(report: (line: string) => void): Promise<string>;
  /** Builds the site for these addresses into `folder`. Returns the directory to serve. */
  site(folder: string, addresses: { baseUrl: string; apiUrl: string }): Promise<string>;
  /** The scopes of a key of this version. If the text changes, a new key is made. */
  keyScopes(): string;
  /** Makes an API key of tenant `demo` with all of a tenant's scopes. */
  newKey(at: KeyStore): Promise<string>;
  /** Environment variables of every function, beside those of the template. */
  variables(given: {
    /** The metadata of the templates. */
    metadata: Record<string, unknown>;
    /** A file of settings that functions read while they run. */
    settingsFile: string;
    /** A secret of this installation, to encrypt with. */
    secretKey: string;
  }): Record<string, string>;
  /**
   * The owner of a step that waits for a processor, by its payload (JSON text): the widest group first, then narrower ones.
   * Groups take turns. Empty for a step without an owner.
   */
  turnOf(payload: string): readonly string[];
}

/** Reads a `cdk.out`, and reports the resources that the local cloud does not serve. */
export async function readProduct(
  { assembly, stackPrefix, apiUrl }: { assembly: string; stackPrefix: string; apiUrl: string },
  report: (line: string) => void,
): Promise<LocalTemplate> {
  const template = await readTemplate(assembly, stackPrefix, { region, account: accountId, apiUrl });
  for (const { type, stack, logicalId } of template.unserved) {
    report(`Not served here: ${stack}.${logicalId} (${type})`);
  }
  return template;
}
