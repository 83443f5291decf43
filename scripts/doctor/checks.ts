/** The checks before a deployment. All other checks need the first one. */
import type { Check } from './check.ts';
import { alerts, arm64, bootstrap, credentials, stacks } from './checks/account.ts';
import { certificates, hostedZones } from './checks/domains.ts';
import { lambda } from './checks/lambda.ts';
import { providers, quotas } from './checks/quotas.ts';
import { services } from './checks/services.ts';

export const checksBefore: readonly [Check, ...Check[]] = [
  credentials,
  bootstrap,
  stacks,
  lambda,
  quotas,
  providers,
  arm64,
  services,
  certificates,
  hostedZones,
  alerts,
];
