/** The CDK's bootstrap: the bucket, the image registry and the roles that each region needs before a deployment. */
import type { Aws } from './clients.ts';
import { stackNamed } from './stacks.ts';

/** The oldest version that synthesized templates accept (`CheckBootstrapVersion`). */
export const NEEDED_BOOTSTRAP = 6;

export interface Bootstrap {
  /** Null if the region is not bootstrapped. */
  readonly version: number | null;
  readonly status: string | null;
}

/** Reads the version from the stack's output, as the CDK does. */
export async function bootstrapOf(aws: Aws): Promise<Bootstrap> {
  const stack = await stackNamed(aws, 'CDKToolkit', 'CDKToolkit');
  if (stack === null) return { version: null, status: null };
  return { version: Number(stack.outputs.BootstrapVersion ?? 0), status: stack.status };
}

export const isBootstrapped = ({ version, status }: Bootstrap): boolean =>
  version !== null &&
  version >= NEEDED_BOOTSTRAP &&
  /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(status!);
