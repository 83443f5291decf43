/** The resources of a stack that exist under its conditions, with resolved intrinsic functions. */
import type { Resource, Stack } from './assembly.ts';
import type { Exists, Resolve } from './intrinsics.ts';
import { identityOf, type Locality } from './names.ts';

export type Resolved = {
  stack: Stack;
  logicalId: string;
  resource: Resource;
  properties: Record<string, unknown>;
  /** The value of `Ref` for the resource. */
  ref: string;
  attributes: Record<string, string>;
};

/** A resource that exists: its condition is true. */
export type Present = { stack: Stack; logicalId: string; resource: Resource };

export function presentResources(stack: Stack, exists: Exists): Present[] {
  return Object.entries(stack.template.Resources ?? {})
    .filter(([logicalId, resource]) => exists(resource, stack, `${logicalId}.Condition`))
    .map(([logicalId, resource]) => ({ stack, logicalId, resource }));
}

/** Properties that are not read. Only a deployment knows the place of the code on AWS. The metadata contain its local place. */
const unread = new Set(['AWS::Lambda::Function.Code']);

/** Resolves the properties of a resource. Throws `UnresolvableIntrinsic` with the place if a property has no local value. */
export function resolved({ stack, logicalId, resource }: Present, resolve: Resolve, at: Locality): Resolved {
  const read = Object.entries(resource.Properties ?? {}).filter(
    ([name]) => !unread.has(`${resource.Type}.${name}`),
  );
  const properties = resolve(Object.fromEntries(read), stack, logicalId) as Record<string, unknown>;
  const identity = identityOf({ stack: stack.name, id: logicalId, type: resource.Type, properties }, at);
  return { stack, logicalId, resource, properties, ...identity };
}
