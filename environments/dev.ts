/** For work on Kinora in AWS: nothing is kept, everything is logged. Copy this file for an environment of your own. */
import type { EnvironmentSettings } from '../lib/environments.ts';

export default {
  region: 'eu-central-1',
  logLevel: 'debug',
} satisfies EnvironmentSettings;
