/** Readable logical ids, for people and `sam local`, instead of ids that end in a hash. */
import type { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Sets the logical id of the construct's main resource. Never change one: CloudFormation would replace the resource. */
export function stableId<C extends IConstruct>(construct: C, id: string): C {
  const resource = (construct.node.defaultChild ?? construct) as CfnResource;
  resource.overrideLogicalId(id);
  return construct;
}
