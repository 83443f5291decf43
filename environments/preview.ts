/** A preview of the next version. Readers of its site need a token. */
import type { EnvironmentSettings } from '../lib/environments.ts';

export default {
  region: 'eu-central-1',
  site: { access: 'token' },
} satisfies EnvironmentSettings;
