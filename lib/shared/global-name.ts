/**
 * Names of resources that an account has once, not once in each region: policies of CloudFront, dashboards, resources
 * in us-east-1.
 */
import type { Environment } from '../environments.ts';

/** `kinora-dev-eu-central-1-site`: an environment may exist in several regions. */
export const globalName = ({ name, region }: Environment, subject: string): string =>
  `kinora-${name}-${region}-${subject}`;
