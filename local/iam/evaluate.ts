/** Evaluates whether policies allow a request. IAM User Guide, "How AWS enforcement code logic evaluates requests". */
import type { Context } from './patterns.ts';
import { listOf, type Statement } from './policy.ts';
import type { Principal } from './principals.ts';

export type PolicyType = 'identity-based' | 'resource-based' | 'session';

export type Policies = {
  identity: readonly Statement[];
  /** The statements of the resource-based policy. Empty if the resource has no policy. */
  resource: readonly Statement[];
  /** The statements of each session policy. Each session policy must allow the request, too. */
  session: readonly (readonly Statement[])[];
  /** Whether the resource belongs to another account. If so, both accounts must allow the request. */
  isCrossAccount: boolean;
};

export type Decision =
  | { isAllowed: true; statements: Statement[] }
  /**
   * `type` is the type of policy that denied the access. `explicit` is the denying statement. If it is absent, no statement of this
   * type allows the access.
   */
  | { isAllowed: false; type: PolicyType; explicit?: Statement };

export type Access = {
  action: string;
  resource: string;
  context: Context;
};

/** Decides on an access. An explicit Deny overrides every Allow. If nothing allows the access, it is denied. */
export function evaluate(access: Access, principal: Principal, policies: Policies): Decision {
  const { identity, resource, session, isCrossAccount } = policies;
  const forPrincipal = resource.filter((statement) => concerns(statement, principal));
  const types: [PolicyType, readonly Statement[]][] = [
    ['identity-based', identity],
    ['resource-based', forPrincipal],
    ['session', session.flat()],
  ];
  for (const [type, statements] of types) {
    const explicit = statements.find((statement) => statement.isDeny && applies(statement, access));
    if (explicit) return { isAllowed: false, type, explicit };
  }
  const byIdentity = identity.filter((statement) => allows(statement, access));
  const byResource = forPrincipal.filter((statement) => allows(statement, access));
  if (isCrossAccount && byResource.length === 0) return { isAllowed: false, type: 'resource-based' };
  if (byIdentity.length === 0 && (isCrossAccount || byResource.length === 0))
    return { isAllowed: false, type: 'identity-based' };
  // A session that the policy of the resource names needs no further Allow. IAM User Guide, "Policy evaluation logic".
  const isNamed =
    !isCrossAccount && byResource.some((statement) => namesIn(statement).includes(principal.arn));
  const isWithinSession =
    isNamed || session.every((policy) => policy.some((statement) => allows(statement, access)));
  if (!isWithinSession) return { isAllowed: false, type: 'session' };
  return { isAllowed: true, statements: [...byIdentity, ...(isCrossAccount ? [] : byResource)] };
}

const allows = (statement: Statement, access: Access): boolean =>
  !statement.isDeny && statement.fault === undefined && applies(statement, access);

/** Whether the statement applies to the access. A Deny that cannot be evaluated always applies. */
function applies(statement: Statement, { action, resource, context }: Access): boolean {
  return (
    statement.matchesAction(action) &&
    statement.matchesResource(resource, context) &&
    (statement.fault !== undefined || statement.conditions.every((holds) => holds(context)))
  );
}

/** Whether a statement of a resource-based policy is about the caller. A Deny without Principal (with NotPrincipal) is about all callers. */
function concerns(statement: Statement, { arn, roleArn, account }: Principal): boolean {
  const names = ['*', account, `arn:aws:iam::${account}:root`, arn, roleArn];
  const isForAll = statement.isDeny && statement.principal === undefined;
  return isForAll || namesIn(statement).some((name) => names.includes(name));
}

/** Returns the names in the Principal element of a statement. */
function namesIn({ principal }: Statement): string[] {
  return principal === '*' ? ['*'] : listOf((principal as { AWS?: string | string[] } | undefined)?.AWS);
}
