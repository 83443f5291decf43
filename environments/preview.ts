/** The next version. Readers need the token of its site. */
import type { EnvironmentSettings } from '../lib/environments.ts';

export default {
  region: 'eu-central-1',
  site: { access: 'token' },
} satisfies EnvironmentSettings;
