/**
 * `npm run doctor -- dev [--before|--after]`: checks whether the environment can be deployed. If it is deployed, tests it: uploads a
 * film, reads its subtitles and deletes it, with a temporary key. `npm run doctor -- local` tests the running local cloud.
 */
import { findRunning } from '../local/running.ts';
import { defined } from '../shared/checked-access.ts';
import { argumentsOf } from './arguments.ts';
import { bar, done } from './demo/screen.ts';
import { awsIn } from './deployment/clients.ts';
import { Failure, reportFailure } from './deployment/failure.ts';
import { targetNamed } from './deployment/targets.ts';
import { examine, type Finding, isFailing, linesOf, type Subject, summaryOf } from './doctor/check.ts';
import { checksBefore } from './doctor/checks.ts';
import { deployedPlace, localPlace, type Place, smokeTest } from './doctor/smoke.ts';

const usage = `npm run doctor -- ENVIRONMENT [--before|--after]
npm run doctor -- local

  --before  only checks whether it can be deployed
  --after   only tests it: uploads a film, reads its subtitles, deletes it`;

const { values, positionals } = argumentsOf(
  { text: usage, help: 'npm run doctor -- --help', words: 1 },
  {
    options: {
      before: { type: 'boolean', default: false },
      after: { type: 'boolean', default: false },
    },
  },
);

try {
  const findings = positionals[0] === 'local' ? await onLocal() : await onDeployed();
  console.log(summaryOf(findings));
  if (findings.some(isFailing)) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
}

async function onLocal(): Promise<Finding[]> {
  const ready = await findRunning();
  if (ready === undefined) throw new Failure('The local cloud is not running', 'Start it: npm start');
  return tried(localPlace(ready));
}

async function onDeployed(): Promise<Finding[]> {
  const target = await targetNamed(positionals[0], 'doctor');
  const subject: Subject = { target, regions: target.regions.map(awsIn) };
  const before = values.after ? [] : await examine(checksBefore, subject, show);
  if (values.before || before.some(isFailing)) return before;
  const place = await deployedPlace(subject);
  if (place !== null) return [...before, ...(await tried(place))];
  if (values.after)
    throw new Failure(`${target.name} is not deployed`, `Deploy it: npm run deploy -- ${target.name}`);
  return before;
}

function tried(place: Place): Promise<Finding[]> {
  return smokeTest({ ...place, onFinding: show, onProgress: (progress) => bar('Processing', progress) });
}

function show(finding: Finding): void {
  const [first, ...more] = linesOf(finding);
  const colon = defined(first).indexOf(': ');
  done(defined(first).slice(0, colon), defined(first).slice(colon + 2));
  for (const line of more) console.log(line);
}
