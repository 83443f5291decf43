/** Namespaces of metrics. */
import type { Environment } from '../environments.ts';

/**
 * The namespace of what Kinora itself counts, in its functions and in its logs. It names the environment,
 * because an account may hold several.
 */
export const namespaceOf = ({ name }: Pick<Environment, 'name'>): string => `Kinora/${name}`;
