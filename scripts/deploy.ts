/**
 * `npm run deploy -- dev [--skip-checks]`: deploys the environment of `environments/dev.ts`: what `npm run doctor` checks first, the
 * CDK's bootstrap where there is none, then all stacks, with the progress of each.
 */
import { join, relative } from 'node:path';
import { buildFolder, root } from '../toolchain/bundle/paths.ts';
import { argumentsOf } from './arguments.ts';
import { deploy, type Outputs } from './deploy/environment.ts';
import { Board } from './deployment/board.ts';
import { awsIn } from './deployment/clients.ts';
import { targetNamed } from './deployment/target.ts';
import { Failure, tell } from './deployment/trouble.ts';
import { checksBefore } from './doctor/checks.ts';
import { accountOf, examine } from './doctor/examine.ts';
import { isFailing } from './doctor/finding.ts';
import { linesOf } from './doctor/report.ts';

const LOOK_MS = 3_000;

const { values, positionals } = argumentsOf(
  { text: 'npm run deploy -- ENVIRONMENT [--skip-checks]', help: 'npm run deploy -- --help', words: 1 },
  { options: { 'skip-checks': { type: 'boolean', default: false } } },
);

try {
  const target = await targetNamed(positionals[0], 'deploy');
  const regions = target.regions.map(awsIn);
  if (!values['skip-checks']) {
    const findings = await examine(checksBefore, { target, regions }, (finding) => {
      for (const line of linesOf(finding)) console.log(line);
    });
    if (findings.some(isFailing))
      throw new Failure({
        says: 'Nothing was deployed: it would fail',
        cure: `Do what the lines above say, or try it all the same: npm run deploy -- ${target.name} --skip-checks`,
      });
  }
  const folder = join(buildFolder, 'deployments', target.name);
  const board = new Board(target.name);
  board.line(
    `Deploying ${target.name} to ${target.regions.join(' and ')}; all details: ${relative(root, folder)}/cdk.log`,
  );
  const started = performance.now();
  const outputs = await deploy(target, regions, {
    folder,
    account: await accountOf(regions[0]!),
    everyMs: LOOK_MS,
    line: (text) => board.line(text),
    show: (all) => board.show(all),
  });
  board.end();
  const minutes = (performance.now() - started) / 60_000;
  console.log(`\n${target.name} is deployed, in ${minutes.toFixed(1)} min.`);
  for (const line of nextSteps(target.name, outputs)) console.log(line);
} catch (error) {
  tell(error);
}

function nextSteps(name: string, { ApiUrl, SiteUrl }: Outputs): string[] {
  return [
    ...(ApiUrl === undefined ? [] : [`  API:   ${ApiUrl}`]),
    ...(SiteUrl === undefined ? [] : [`  Site:  ${SiteUrl}`]),
    `  A key: npm run keys -- create --tenant acme --env ${name}`,
    `  A try: npm run doctor -- ${name} --after`,
  ];
}
