/**
 * The roles of this machine: `<account>/<name>.json` in a folder, each with its trust policy and its permission policy. Programs on
 * this machine use them as the roles of other accounts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextOf } from '../iam/authorizer.ts';
import { type Access, evaluate } from '../iam/evaluate.ts';
import { compilePolicy, type PolicyDocument } from '../iam/policy.ts';
import type { Principal } from '../iam/principals.ts';

export type Role = { trust_policy: PolicyDocument; permission_policy: PolicyDocument };

const ARN = /^arn:aws[a-z-]*:iam::(?<account>\d{12}):role\/(?:[\w+=,.@-]+\/)*(?<name>[\w+=,.@-]+)$/;

/** Reads a role. Returns null if it does not exist. */
export function roleAt(directory: string, arn: string): Role | null {
  const { account, name } = ARN.exec(arn)?.groups ?? {};
  if (account === undefined || name === undefined || /^\.+$/.test(name)) return null;
  try {
    return JSON.parse(readFileSync(join(directory, account, `${name}.json`), 'utf8')) as Role;
  } catch {
    return null;
  }
}

/** Whether the trust policy lets the caller assume the role. */
export function trusts({ trust_policy }: Role, caller: Principal, access: Access): boolean {
  const resource = compilePolicy('TrustPolicy', trust_policy);
  const context = { ...contextOf(caller), ...access.context };
  const policies = { identity: [], resource, session: [], isCrossAccount: false };
  return evaluate({ ...access, context }, caller, policies).isAllowed;
}
