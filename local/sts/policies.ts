/** As much of IAM policies as a role that is written to needs: Allow statements without conditions, with wildcards. */

export type Statement = {
  Effect?: unknown;
  Action?: unknown;
  Resource?: unknown;
  Principal?: unknown;
  Condition?: unknown;
};

export type Policy = { Statement?: Statement | Statement[] };

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

export const statementsOf = (policy: Policy): Statement[] => listOf(policy.Statement ?? []) as Statement[];

/** Whether the policy allows it. What cannot be evaluated here, conditions above all, allows nothing. */
export function allows(policy: Policy, action: string, resource: string): boolean {
  return statementsOf(policy).some(
    (statement) =>
      statement.Effect === 'Allow' &&
      statement.Condition === undefined &&
      matchesAny(statement.Action, action) &&
      matchesAny(statement.Resource, resource),
  );
}

function matchesAny(patterns: unknown, text: string): boolean {
  return listOf(patterns).some((pattern) => typeof pattern === 'string' && matches(pattern, text));
}

/** `*` is any text, `?` any character. IAM user guide, "Policy elements: Resource". */
function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[\\^$.|+(){}[\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
