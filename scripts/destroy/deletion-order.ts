/** In which order stacks are deleted: the reverse of that in which they stand on each other. */

/** What others stand on comes last (lib/kinora.ts). */
const lastOnes = ['Api', 'Site', 'Jobs', 'Data', 'Firewall'];

/** Stacks that are not named above stand on those that are, or on nothing. */
export function deletionOrder<S extends { readonly part: string }>(stacks: readonly S[]): S[] {
  const rank = ({ part }: S) => lastOnes.indexOf(part);
  return [...stacks].sort((one, other) => rank(one) - rank(other));
}
