/** The product that the local cloud serves, and the functions that build it. */
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

/** The interface between the product and the local cloud. The local cloud serves the results and does not know how they are built. */
export interface Product {
  /** The prefix of the stacks that the local cloud serves. */
  readonly stackPrefix: string;
  /** Returns the directory of a cloud assembly (`cdk.out`). Builds it first if its sources have changed. */
  assembly(report: (line: string) => void): Promise<string>;
  /** Builds the site for these addresses into `folder`. Returns the directory to serve. */
  site(folder: string, addresses: { baseUrl: string; apiUrl: string }): Promise<string>;
  /** Returns the scopes of a key in this version, as text. If the text changes, a new key is made. */
  keyScopes(): string;
  /** Makes an API key of the tenant `demo` with all scopes of a tenant. */
  newKey(at: KeyStore): Promise<string>;
  /** Returns environment variables that every function gets, in addition to those of the template. */
  variables(given: {
    /** The Metadata sections of the templates. */
    metadata: Record<string, unknown>;
    /** A file with settings that functions read while they run. */
    settingsFile: string;
    /** A secret of this installation, for encryption. */
    secretKey: string;
  }): Record<string, string>;
  /**
   * Returns the groups of a step that waits for a processor, the outermost first. Groups take turns. `payload` is the step's input as
   * JSON text. Empty for a step without a group.
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
