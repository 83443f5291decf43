/** Development in AWS: keeps nothing, logs everything. Copy this file to add an environment. */
import type { EnvironmentSettings } from '../lib/environments.ts';

export default {
  region: 'eu-central-1',
  logLevel: 'debug',
  monthlyBudget: 25,
} satisfies EnvironmentSettings;
