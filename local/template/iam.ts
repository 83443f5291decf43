/** Reads roles and resource-based policies from a template. */
import type { IamView, RoleView } from '../iam/authorizer.ts';
import { listOf, type PolicyDocument } from '../iam/policy.ts';
import type { Resolved } from './resolved.ts';

type NamedPolicy = { id: string; document: PolicyDocument };

/** The resources with permissions, by type. */
export type IamResources = {
  roles: Resolved[];
  /** Resources of the type `AWS::IAM::Policy`. Each lists the roles that have it. */
  policies: Resolved[];
  managedPolicies: Resolved[];
  buckets: Resolved[];
  bucketPolicies: Resolved[];
};

/** @throws Error if a managed policy is not in the template */
export function readIam(
  { roles, policies, managedPolicies, buckets, bucketPolicies }: IamResources,
  account: string,
): IamView {
  const managed = new Map(managedPolicies.map((policy) => [policy.ref, policyIn(policy)]));
  return {
    account,
    roles: roles.map((role) => ({
      logicalId: role.logicalId,
      arn: String(role.attributes.Arn),
      trustPolicy: role.properties.AssumeRolePolicyDocument as PolicyDocument,
      policies: [...inlinePolicies(role), ...attachedPolicies(role, policies), ...managedOf(role, managed)],
    })),
    resourcePolicies: buckets.map((bucket) => {
      const policy = bucketPolicies.find(({ properties }) => properties.Bucket === bucket.ref);
      return {
        id: policy?.logicalId ?? bucket.logicalId,
        resource: String(bucket.attributes.Arn),
        document: policy ? policyIn(policy).document : {},
      };
    }),
  };
}

/** Returns the view without one statement of one role, to test whether the statement is needed. */
export function withoutStatement(
  view: IamView,
  { role, statement }: { role: string; statement: string },
): IamView {
  const dot = statement.lastIndexOf('.');
  const [id, position] = [statement.slice(0, dot), Number(statement.slice(dot + 1))];
  const cut = ({ id: own, document }: NamedPolicy): NamedPolicy => {
    if (own !== id) return { id: own, document };
    // The statement is replaced by an empty one, so that the numbers of later statements stay the same.
    const statements = listOf(document.Statement).map((each, at) => (at === position ? nothing : each));
    return { id: own, document: { ...document, Statement: statements } };
  };
  const roles = view.roles.map(
    (each): RoleView => (each.logicalId === role ? { ...each, policies: each.policies.map(cut) } : each),
  );
  return { ...view, roles };
}

const nothing = { Effect: 'Allow', Action: [], Resource: [] };

const policyIn = ({ logicalId, properties }: Resolved): NamedPolicy => ({
  id: logicalId,
  document: properties.PolicyDocument as PolicyDocument,
});

function inlinePolicies({ properties }: Resolved): NamedPolicy[] {
  const policies = (properties.Policies ?? []) as { PolicyName: string; PolicyDocument: PolicyDocument }[];
  return policies.map(({ PolicyName, PolicyDocument }) => ({ id: PolicyName, document: PolicyDocument }));
}

const attachedPolicies = (role: Resolved, policies: Resolved[]): NamedPolicy[] =>
  policies.filter(({ properties }) => listOf(properties.Roles as string[]).includes(role.ref)).map(policyIn);

function managedOf(
  { properties, stack, logicalId }: Resolved,
  known: Map<string, NamedPolicy>,
): NamedPolicy[] {
  return listOf(properties.ManagedPolicyArns as string[]).map((arn) => {
    const policy = known.get(arn);
    if (policy) return policy;
    throw new Error(`${stack.name}.${logicalId}: the template has no managed policy ${arn}`);
  });
}
