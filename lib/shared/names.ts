import type { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Environment } from '../environments.ts';

/** Sets the logical id of the construct's main resource. Never change such an id: CloudFormation would replace the resource. */
export function stableId<C extends IConstruct>(construct: C, id: string): C {
  const resource = (construct.node.defaultChild ?? construct) as CfnResource;
  resource.overrideLogicalId(id);
  return construct;
}

/** Returns `kinora-dev-eu-central-1-site`. It contains the region, because an environment may exist in several regions. */
export const globalName = ({ name, region }: Environment, subject: string): string =>
  `kinora-${name}-${region}-${subject}`;

/** `delete-asset` → `DeleteAsset`. */
export function pascalCase(kebab: string): string {
  return kebab.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** `DeleteAsset` → `delete-asset`. */
export function kebabCase(pascal: string): string {
  return pascal.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
}
