/** Logical ids that people and `sam local` can name, instead of ids that end in a hash. */
import type { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Gives the construct's main resource this logical id. It never changes again: that would replace the resource. */
export function stableId<C extends IConstruct>(construct: C, id: string): C {
  const resource = (construct.node.defaultChild ?? construct) as CfnResource;
  resource.overrideLogicalId(id);
  return construct;
}
