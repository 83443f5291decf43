/**
 * `npm run deploy -- dev [--skip-checks]`: deploys the environment of `environments/dev.ts`. It runs the checks of
 * `npm run doctor`, bootstraps the CDK where needed, then runs `cdk deploy` for all stacks.
 */
import { join, relative } from 'node:path';
import { itemAt } from '../shared/checked-access.ts';
import { buildFolder, root } from '../toolchain/bundle/paths.ts';
import { argumentsOf } from './arguments.ts';
import { deployEnvironment, type Outputs } from './deploy/deploy-environment.ts';
import { accountOf, awsIn } from './deployment/clients.ts';
import { Failure, reportFailure } from './deployment/failure.ts';
import { targetNamed } from './deployment/targets.ts';
import { examine, isFailing, linesOf } from './doctor/check.ts';
import { checksBefore } from './doctor/checks.ts';

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
      throw new Failure(
        'Nothing was deployed: the checks found problems',
        `Fix the lines above, or deploy anyway: npm run deploy -- ${target.name} --skip-checks`,
      );
  }
  const folder = join(buildFolder, 'deployments', target.name);
  console.log(
    `Deploying ${target.name} to ${target.regions.join(' and ')}. Log: ${relative(root, folder)}/cdk.log`,
  );
  const started = performance.now();
  const outputs = await deployEnvironment(target, regions, {
    folder,
    account: await accountOf(itemAt(regions, 0)),
    show: (text) => process.stdout.write(text),
  });
  const minutes = (performance.now() - started) / 60_000;
  console.log(`\nDeployed ${target.name} in ${minutes.toFixed(1)} min.`);
  for (const line of nextSteps(target.name, outputs)) console.log(line);
} catch (error) {
  reportFailure(error);
}

function nextSteps(name: string, { ApiUrl, SiteUrl }: Outputs): string[] {
  return [
    ...(ApiUrl === undefined ? [] : [`  API:            ${ApiUrl}`]),
    ...(SiteUrl === undefined ? [] : [`  Site:           ${SiteUrl}`]),
    `  Create a key:   npm run keys -- create --tenant acme --env ${name}`,
    `  Test it:        npm run doctor -- ${name} --after`,
  ];
}
