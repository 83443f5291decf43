/** `node scripts/released.ts`: adds what an environment has that is new to the templates of the last release. */
import { record, releasedEnvironments, releasedOf } from '../toolchain/released.ts';
import { reportFailure } from './deployment/failure.ts';
import { targetNamed } from './deployment/targets.ts';
import { templatesByStack } from './deployment/templates.ts';

try {
  for (const environment of releasedEnvironments) {
    const templates = await templatesByStack(await targetNamed(environment, 'deploy'));
    const count = record(environment, releasedOf(templates));
    console.log(`${count} added to released/${environment}.json`);
  }
} catch (error) {
  reportFailure(error);
}
