/** The order of deletion: a stack is deleted before the stacks that it uses. */

/** Stacks that others use, the most used last (lib/kinora.ts). */
const lastOnes = ['Api', 'Site', 'Jobs', 'Data', 'Firewall'];

/** No stack uses the stacks that are not named above. */
export function deletionOrder<S extends { readonly part: string }>(stacks: readonly S[]): S[] {
  const rank = ({ part }: S) => lastOnes.indexOf(part);
  return [...stacks].sort((one, other) => rank(one) - rank(other));
}
