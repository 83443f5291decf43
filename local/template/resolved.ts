/** The resources that a stack really has, and what they say once their intrinsics are resolved. */
import type { Resource, Stack } from './assembly.ts';
import type { Exists, Resolve } from './intrinsics.ts';
import { identityOf, type Locality } from './names.ts';

/** One resource, its properties resolved, with what reading it may need. */
export type Resolved = {
  stack: Stack;
  logicalId: string;
  resource: Resource;
  properties: Record<string, unknown>;
  /** The value of `Ref`. */
  ref: string;
  attributes: Record<string, string>;
};

/** A resource whose condition holds. */
export type Present = { stack: Stack; logicalId: string; resource: Resource };

export function presentResources(stack: Stack, exists: Exists): Present[] {
  return Object.entries(stack.template.Resources ?? {})
    .filter(([logicalId, resource]) => exists(resource, stack, `${logicalId}.Condition`))
    .map(([logicalId, resource]) => ({ stack, logicalId, resource }));
}

/** Where a function's code lies on AWS, which a deployment alone may know; its metadata tells where it lies here. */
const unread = new Set(['AWS::Lambda::Function.Code']);

/** Throws `UnresolvableIntrinsic` naming the place when a property has no local value. */
export function resolved({ stack, logicalId, resource }: Present, resolve: Resolve, at: Locality): Resolved {
  const read = Object.entries(resource.Properties ?? {}).filter(
    ([name]) => !unread.has(`${resource.Type}.${name}`),
  );
  const properties = resolve(Object.fromEntries(read), stack, logicalId) as Record<string, unknown>;
  const identity = identityOf({ stack: stack.name, id: logicalId, type: resource.Type, properties }, at);
  return { stack, logicalId, resource, properties, ...identity };
}
