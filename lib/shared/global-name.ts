/** Names of what an account has once rather than once a region: CloudFront's policies, dashboards, what lies in us-east-1. */
import type { Environment } from '../environments.ts';

/** `kinora-dev-eu-central-1-site`: the same environment may stand in several regions. */
export const globalName = ({ name, region }: Environment, subject: string): string =>
  `kinora-${name}-${region}-${subject}`;
