/**
 * The CDK app: the stacks of the environment that `-c env=<name>` names, `dev` without it; all that they differ in stands in
 * `environments/<name>.ts`. `-c site=false` leaves the site out, which the local cloud serves by itself.
 */
import { execFileSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { environmentNamed } from '../lib/environments.ts';
import { type KinoraSite, kinora, kinoraData, kinoraOps, kinoraSite } from '../lib/kinora.ts';

const app = new App({ analyticsReporting: false });
const context = (key: string) => app.node.tryGetContext(key) as unknown;
const environment = await environmentNamed(String(context('env') ?? 'dev'));
const data = kinoraData(app, environment);
const site: Partial<KinoraSite> = hasSite() ? siteStacks() : {};
kinoraOps(app, environment, { ...kinora(app, environment, data, site.site), ...site });
app.synth();

function hasSite(): boolean {
  return environment.site.elsewhere === undefined && String(context('site')) !== 'false';
}

function siteStacks() {
  execFileSync(process.execPath, ['scripts/build-site.ts', environment.name], { stdio: 'ignore' });
  return kinoraSite(app, environment, data.api.url);
}
