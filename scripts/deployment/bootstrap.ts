/** The CDK's bootstrap: the bucket, the registry and the roles that a region needs before anything is deployed to it. */
import type { Aws } from './clients.ts';
import { stackNamed } from './stacks.ts';

/** The least version that what the CDK synthesizes asks for (`CheckBootstrapVersion` in every template). */
export const NEEDED_BOOTSTRAP = 6;

export interface Bootstrap {
  /** Null where there is none. */
  readonly version: number | null;
  readonly status: string | null;
}

/** The stack has its version as an output, which the CDK reads as well. */
export async function bootstrapOf(aws: Aws): Promise<Bootstrap> {
  const stack = await stackNamed(aws, 'CDKToolkit', 'CDKToolkit');
  if (stack === null) return { version: null, status: null };
  return { version: Number(stack.outputs.BootstrapVersion ?? 0), status: stack.status };
}

export const isBootstrapped = ({ version, status }: Bootstrap): boolean =>
  version !== null &&
  version >= NEEDED_BOOTSTRAP &&
  /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(status!);
