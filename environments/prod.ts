/**
 * Production: data outlives its stacks, and the rate limits are higher. Add your `account`, without which it is not deployed, and
 * your own domains under `api` and `site`. Consider `protection` (a firewall) and `backup` (a second region).
 */
import type { EnvironmentSettings } from '../lib/environments.ts';

export default {
  region: 'eu-central-1',
  site: { indexable: true },
  removal: 'retain',
  pointInTimeRecovery: true,
  deletionProtection: true,
  logRetentionDays: 90,
  throttling: { rate: 500, burst: 1000 },
  apiMemory: 1024,
  rollout: 'gradual',
  canary: { everyMinutes: 30 },
  monthlyBudget: 500,
} satisfies EnvironmentSettings;
