/**
 * `npm run cost`: estimates the monthly cost of an environment in AWS, idle and at work. It does not call AWS: the prices are a dated
 * list with sources (toolchain/costs/price-list.ts, and the declarations of engines).
 */
import { choiceVariables } from '../lib/shared/engines.ts';
import { estimate, type Workload } from '../toolchain/costs/estimate.ts';
import { canaryCosts, idleCosts } from '../toolchain/costs/idle.ts';
import { headline, idleReport, workReport } from '../toolchain/costs/report.ts';
import { argumentsOf } from './arguments.ts';
import { Misuse, reportFailure } from './deployment/failure.ts';
import { templatesByStack } from './deployment/run-cdk.ts';
import { targetNamed } from './deployment/targets.ts';

const usage = `npm run cost -- [dev|preview|prod|…] [--hours 100] [--languages 1] [--spoken 1] [--no-pictures] [--no-idle]

  --hours      hours of video in a month
  --languages  languages that each video is translated into
  --spoken     languages that each video is dubbed into
  --no-pictures  leaves out faces and text in pictures
  --no-idle    leaves out the idle cost, whose synthesis takes a minute`;

const { values, positionals } = argumentsOf(
  { text: usage, help: 'npm run cost -- --help', words: 1 },
  {
    allowNegative: true,
    options: {
      hours: { type: 'string', default: '100' },
      languages: { type: 'string', default: '1' },
      spoken: { type: 'string' },
      pictures: { type: 'boolean', default: true },
      idle: { type: 'boolean', default: true },
    },
  },
);

try {
  await report();
} catch (error) {
  reportFailure(error);
}

async function report(): Promise<void> {
  const work: Workload = {
    hours: numberOf('hours', values.hours),
    languages: numberOf('languages', values.languages),
    spoken: numberOf('spoken', values.spoken ?? values.languages),
    pictures: values.pictures,
  };
  const target = await targetNamed(positionals[0] ?? 'dev', 'cost');
  const { name, environment } = target;
  const settings = { MEDIA_BUCKET: 'media', ...choiceVariables(environment) };
  print(headline);
  if (values.idle) {
    print(`\nIdle, ${name} (synthesizing its templates, about a minute) …`);
    const lines = [
      ...idleCosts(Object.values(await templatesByStack(target))),
      ...canaryCosts(environment.canary, settings),
    ];
    print(...idleReport(lines));
  }
  print('', ...workReport(work, estimate(work, settings)));
}

function print(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Misuse(`--${option}: “${text}” is not a number`, 'Pass a number, 0 or above.');
}
