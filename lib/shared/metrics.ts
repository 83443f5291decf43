/** Namespaces of metrics. */
import type { Environment } from '../environments.ts';

/** Of what Kinora itself counts, in its functions and in its logs: an account may hold several environments. */
export const namespaceOf = ({ name }: Pick<Environment, 'name'>): string => `Kinora/${name}`;
