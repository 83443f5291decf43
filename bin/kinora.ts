/**
 * The CDK app: the stacks of the environment that `-c env=dev|preview|prod` names. `-c site=false` leaves the site out,
 * which the local cloud serves by itself.
 */
import { execFileSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { environmentFrom } from '../lib/environments.ts';
import { kinora, kinoraOps, kinoraSite } from '../lib/kinora.ts';

const app = new App({ analyticsReporting: false });
const environment = environmentFrom(app.node);
const stacks = kinora(app, environment);
kinoraOps(app, environment, { ...stacks, ...site() });
app.synth();

function site() {
  if (String(app.node.tryGetContext('site')) === 'false') return {};
  execFileSync(process.execPath, ['scripts/build-site.ts', environment.name], { stdio: 'ignore' });
  return kinoraSite(app, environment);
}
