/** The checks before a deployment. All others need the first. */
import type { Check } from './check.ts';
import { alerts } from './checks/alerts.ts';
import { arm64 } from './checks/arm64.ts';
import { bootstrap } from './checks/bootstrap.ts';
import { certificates } from './checks/certificates.ts';
import { credentials } from './checks/credentials.ts';
import { hostedZones } from './checks/hosted-zones.ts';
import { lambda } from './checks/lambda.ts';
import { providers } from './checks/providers.ts';
import { quotas } from './checks/quotas.ts';
import { services } from './checks/services.ts';
import { stacks } from './checks/stacks.ts';

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
