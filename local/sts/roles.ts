/**
 * Roles of this machine: `<account>/<name>.json` in a folder, each with the two policies that a role has. It is the
 * very object that the API shows as `aws_access` of an external storage, so that a role is made here as it is on AWS: by
 * copying what is shown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOf, type Policy, statementsOf } from './policies.ts';

export type Role = { trust_policy: Policy; permission_policy: Policy };

const ARN = /^arn:aws[a-z-]*:iam::(?<account>\d{12}):role\/(?:[\w+=,.@-]+\/)*(?<name>[\w+=,.@-]+)$/;

/** Null where there is none. */
export function roleAt(directory: string, arn: string): Role | null {
  const { account, name } = ARN.exec(arn)?.groups ?? {};
  if (account === undefined || name === undefined || /^\.+$/.test(name)) return null;
  try {
    return JSON.parse(readFileSync(join(directory, account, `${name}.json`), 'utf8')) as Role;
  } catch {
    return null;
  }
}

/** Whether the role lets an account assume it with that external id, or without one. */
export function trusts({ trust_policy }: Role, account: string, externalId: string | undefined): boolean {
  return statementsOf(trust_policy).some(
    ({ Effect, Action, Principal, Condition }) =>
      Effect === 'Allow' &&
      listOf(Action).includes('sts:AssumeRole') &&
      namesAccount(Principal, account) &&
      holds(Condition, externalId),
  );
}

const namesAccount = (principal: unknown, account: string): boolean =>
  listOf((principal as { AWS?: unknown } | undefined)?.AWS).some(
    (one) => one === account || one === `arn:aws:iam::${account}:root`,
  );

/** The one condition that is evaluated here; any other holds never. */
function holds(condition: unknown, externalId: string | undefined): boolean {
  if (condition === undefined) return true;
  const { StringEquals = {}, ...others } = condition as { StringEquals?: Record<string, unknown> };
  const { 'sts:ExternalId': expected, ...otherKeys } = StringEquals;
  if (Object.keys(others).length > 0 || Object.keys(otherKeys).length > 0) return false;
  return externalId !== undefined && listOf(expected).includes(externalId);
}
