/**
 * The CDK app. `-c env=<name>` selects an environment, `dev` by default; its settings are in `environments/<name>.ts`.
 * `-c site=false` leaves out the site, which the local cloud serves itself.
 */
import { execFileSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { environmentNamed } from '../lib/environments.ts';
import { type KinoraSite, kinora, kinoraData, kinoraOps, kinoraSite } from '../lib/kinora.ts';

const app = new App({ analyticsReporting: false });
const context = (key: string) => app.node.tryGetContext(key) as unknown;
const named = await environmentNamed(String(context('env') ?? 'dev'));
// The local cloud queues functions for the processors of its machine: local/lambda/line.ts.
const unbounded = { ...named.quotas, lambdaConcurrency: Number.POSITIVE_INFINITY };
const environment = context('local') === true ? { ...named, quotas: unbounded } : named;
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
