/**
 * Compiles policies of IAM, to match them quickly. IAM User Guide, "IAM JSON policy element reference". A statement that this file
 * cannot read fails closed: an Allow then allows nothing, and a Deny applies without its conditions.
 */
import { type Condition, compileConditions } from './conditions.ts';
import {
  type Context,
  compilePattern,
  compileResourcePattern,
  hasVariables,
  type Matcher,
} from './patterns.ts';

/** A policy document of a template or a request, without intrinsic functions. */
export type PolicyDocument = { Version?: string; Statement?: StatementDocument | StatementDocument[] };

export type StatementDocument = {
  Sid?: string;
  Effect?: string;
  Principal?: unknown;
  NotPrincipal?: unknown;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
};

export type Statement = {
  /** The name of the statement in reports, such as `MediaReadPolicy.0`. */
  id: string;
  isDeny: boolean;
  matchesAction(action: string): boolean;
  matchesResource(resource: string, context: Context): boolean;
  /** Undefined in identity-based policies. */
  principal: unknown;
  conditions: Condition[];
  /** The reason why the statement fails closed. Absent if it does not. */
  fault?: string;
};

export const listOf = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** @param id the ids of the statements begin with this */
export const compilePolicy = (id: string, { Statement: statements }: PolicyDocument): Statement[] =>
  listOf(statements).map((statement, at) => compileStatement(`${id}.${at}`, statement));

function compileStatement(id: string, document: StatementDocument): Statement {
  const { Effect, Principal, Condition = {} } = document;
  const { conditions, fault } = compileConditions(Condition);
  const why = malformation(document) ?? fault;
  return {
    id,
    isDeny: Effect !== 'Allow',
    matchesAction: actionMatcher(document),
    matchesResource: resourceMatcher(document),
    principal: Principal,
    conditions,
    ...(why !== undefined && { fault: why }),
  };
}

/** Returns the reason why AWS rejects the statement, or why it is not supported here. Undefined if the statement is correct. */
function malformation(document: StatementDocument): string | undefined {
  const { Effect, Principal, NotPrincipal, Action, NotAction, Resource, NotResource } = document;
  if (Effect !== 'Allow' && Effect !== 'Deny') return 'Effect must be Allow or Deny';
  if (NotPrincipal !== undefined) return 'NotPrincipal is not supported';
  if ((Action === undefined) === (NotAction === undefined))
    return 'exactly one of Action and NotAction is required';
  if (Resource !== undefined && NotResource !== undefined)
    return 'Resource and NotResource exclude each other';
  const hasResource = Resource !== undefined || NotResource !== undefined;
  return hasResource || Principal !== undefined
    ? undefined
    : 'an identity-based policy needs Resource or NotResource';
}

/** Returns a matcher of actions. Upper and lower case make no difference. */
function actionMatcher({ Action, NotAction }: StatementDocument): (action: string) => boolean {
  const patterns = listOf(Action ?? NotAction).map((pattern) => compilePattern(pattern.toLowerCase()));
  const isNegated = Action === undefined;
  return (action) => {
    const name = action.toLowerCase();
    return patterns.some((matches) => matches(name)) !== isNegated;
  };
}

/** Returns a matcher of resources. If a resource-based policy omits the resource, its own resource is meant. */
function resourceMatcher({
  Resource,
  NotResource,
}: StatementDocument): (resource: string, context: Context) => boolean {
  if (Resource === undefined && NotResource === undefined) return () => true;
  const patterns = listOf(Resource ?? NotResource).map(resourcePattern);
  const isNegated = Resource === undefined;
  return (resource, context) =>
    patterns.some((pattern) => pattern(context)?.(resource) ?? false) !== isNegated;
}

/** Returns a function that returns a matcher. Undefined if a variable has no value, because the pattern then matches nothing. */
function resourcePattern(pattern: string): (context: Context) => Matcher | undefined {
  if (!hasVariables(pattern)) {
    const matcher = compileResourcePattern(pattern);
    return () => matcher;
  }
  return (context) => compileResourcePattern(pattern, context);
}
