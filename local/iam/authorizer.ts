/** Checks the requests of sessions against the policies of their roles. Records which statements allowed which actions. */
import { appendFileSync } from 'node:fs';
import { type Access, type Decision, evaluate, type PolicyType } from './evaluate.ts';
import type { Context } from './patterns.ts';
import { compilePolicy, type PolicyDocument, type Statement } from './policy.ts';
import { type Caller, type Principal, principalOf } from './principals.ts';

/** The roles and resource-based policies of a template. Plain data, so that it can be sent to another process. */
export type IamView = {
  account: string;
  roles: RoleView[];
  /** The policy of each bucket in the template. The document is empty if the bucket has no policy. */
  resourcePolicies: { id: string; resource: string; document: PolicyDocument }[];
};

export type RoleView = {
  logicalId: string;
  arn: string;
  trustPolicy: PolicyDocument;
  /** The inline policies and managed policies of the role. */
  policies: { id: string; document: PolicyDocument }[];
};

export type AuthorizerOptions = IamView & {
  /** A file that gets a line of JSON for each new combination of role, action, and statements that allowed the action. */
  decisionsFile?: string;
};

/** The fields of a line in the file of recorded decisions. */
export type RecordedDecision = {
  /** The logical id of the role. */
  role: string;
  action: string;
  resource: string;
  /** The statements that allowed the action. Each of them would have been enough. Empty if the action was denied. */
  statements: string[];
};

export type Authorizer = {
  /** @throws AccessDenied for the first access that the session does not have permission for */
  authorize(caller: Caller, accesses: readonly Access[]): void;
};

/** Thrown if a request is denied. `message` is the sentence of AWS. */
export class AccessDenied extends Error {
  override name = 'AccessDeniedException';
  readonly access: Access;
  constructor(message: string, access: Access) {
    super(message);
    this.access = access;
  }
}

type Role = { id: string; statements: Statement[]; byAction: Map<string, Statement[]> };

export function createAuthorizer({
  account,
  roles,
  resourcePolicies,
  decisionsFile,
}: AuthorizerOptions): Authorizer {
  const record = recorder(decisionsFile);
  const known = new Map<string, Role>(
    roles.map(({ logicalId, arn, policies }) => [
      arn,
      compiledRole(
        logicalId,
        policies.flatMap(({ id, document }) => compilePolicy(id, document)),
      ),
    ]),
  );
  const ofResources = resourcePolicies.map(({ id, resource, document }) => ({
    resource,
    statements: compilePolicy(id, document),
  }));
  const rolesOfTokens = new WeakMap<Caller, Role>();
  const sessionPolicies = new WeakMap<Caller, Statement[][]>();

  /** Returns the role of the caller. Roles of the template are found by their ARN. For other roles, the token contains the policy. */
  function roleOf(caller: Caller): Role {
    const cached = known.get(caller.roleArn) ?? rolesOfTokens.get(caller);
    if (cached) return cached;
    const role = compiledRole(caller.roleArn, compilePolicy('RolePolicy', caller.rolePolicy ?? {}));
    rolesOfTokens.set(caller, role);
    return role;
  }

  function sessionOf(caller: Caller): Statement[][] {
    const cached = sessionPolicies.get(caller);
    if (cached) return cached;
    const compiled = (caller.sessionPolicies ?? []).map((policy, at) =>
      compilePolicy(`Session${at}`, policy),
    );
    sessionPolicies.set(caller, compiled);
    return compiled;
  }

  function decide(caller: Caller, principal: Principal, access: Access): Decision {
    const role = roleOf(caller);
    const isOwn = known.has(caller.roleArn);
    const context = { ...contextOf(principal), ...access.context };
    // An object has the policy of its bucket.
    const [place = ''] = access.resource.split('/', 1);
    const owner = ofResources.find(({ resource }) => resource === access.resource || resource === place);
    const decision = evaluate({ ...access, context }, principal, {
      identity: statementsFor(role, access.action),
      resource: owner?.statements ?? [],
      session: sessionOf(caller),
      // Roles that are not in the template count as roles of another account.
      isCrossAccount: owner !== undefined && (!isOwn || principal.account !== account),
    });
    if (isOwn) {
      const statements = decision.isAllowed ? decision.statements.map(({ id }) => id) : [];
      record({ role: role.id, action: access.action, resource: access.resource, statements });
    }
    return decision;
  }

  return {
    authorize(caller, accesses) {
      const principal = principalOf(caller);
      for (const access of accesses) {
        const decision = decide(caller, principal, access);
        if (!decision.isAllowed) throw new AccessDenied(denialOf(principal, access, decision), access);
      }
    },
  };
}

const compiledRole = (id: string, statements: Statement[]): Role => ({ id, statements, byAction: new Map() });

/** Returns the statements of a role that contain the action. They are searched only once for each action. */
function statementsFor({ statements, byAction }: Role, action: string): Statement[] {
  const found = byAction.get(action) ?? statements.filter((statement) => statement.matchesAction(action));
  byAction.set(action, found);
  return found;
}

/** Returns the context of a request. The loopback interface counts as a secure transport, because no request leaves the machine. */
export const contextOf = ({ arn, roleArn, account }: Principal): Context => ({
  'aws:securetransport': ['true'],
  's3:tlsversion': ['1.3'],
  'aws:principalarn': [roleArn],
  'aws:principalaccount': [account],
  'aws:principaltype': ['AssumedRole'],
  'aws:userid': [`AROALOCAL:${arn.slice(arn.lastIndexOf('/') + 1)}`],
  'aws:currenttime': [new Date().toISOString()],
});

/** Returns the error message. IAM User Guide, "Troubleshoot access denied error messages". S3 writes the resource in quotation marks. */
function denialOf(
  { arn }: Pick<Principal, 'arn'>,
  { action, resource }: Access,
  { type, explicit }: { type: PolicyType; explicit?: Statement },
): string {
  const shown = action.startsWith('s3:') ? `"${resource}"` : resource;
  const article = type === 'identity-based' ? 'an' : 'a';
  const why = explicit
    ? `with an explicit deny in ${article} ${type} policy`
    : `because no ${type} policy allows the ${action} action`;
  return `User: ${arn} is not authorized to perform: ${action} on resource: ${shown} ${why}`;
}

/** Returns a function that writes each new combination once. It writes immediately, so that a killed process loses nothing. */
function recorder(file: string | undefined): (decision: RecordedDecision) => void {
  if (file === undefined) return () => {};
  const written = new Set<string>();
  return (decision) => {
    const { role, action, statements } = decision;
    const key = [role, action, ...statements].join(' ');
    if (written.has(key)) return;
    written.add(key);
    appendFileSync(file, `${JSON.stringify(decision)}\n`);
  };
}
