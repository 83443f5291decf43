/**
 * `npm run cost`: what an environment costs in AWS, idle and at work, side by side with what others ask. Nothing is asked of
 * AWS: prices are a dated list with sources (toolchain/costs/price-list.ts, and the engines' own).
 */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentNamed } from '../lib/environments.ts';
import { choiceVariables } from '../lib/shared/engines.ts';
import { canaryCosts } from '../toolchain/costs/canary.ts';
import { estimate, type Workload } from '../toolchain/costs/estimate.ts';
import { idleCosts, type Template } from '../toolchain/costs/idle.ts';
import { peerPrices } from '../toolchain/costs/peers.ts';
import { headline, idleReport, peersReport, workReport } from '../toolchain/costs/report.ts';

const usage = `npm run cost -- [dev|preview|prod|…] [--hours 100] [--languages 1] [--spoken 1] [--no-pictures] [--no-idle]

  --hours      hours of video in a month
  --languages  into how many languages each is translated
  --spoken     in how many of them it is spoken
  --no-pictures  without faces and text in pictures
  --no-idle    without what it costs when nobody uses it, which takes a minute to find out`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    hours: { type: 'string', default: '100' },
    languages: { type: 'string', default: '1' },
    spoken: { type: 'string' },
    pictures: { type: 'boolean', default: true },
    idle: { type: 'boolean', default: true },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const work: Workload = {
  hours: numberOf('hours', values.hours),
  languages: numberOf('languages', values.languages),
  spoken: numberOf('spoken', values.spoken ?? values.languages),
  pictures: values.pictures,
};
const [name = 'dev'] = positionals;
const environment = await environmentNamed(name);
/** As the functions of the environment see them. */
const settings = { MEDIA_BUCKET: 'media', ...choiceVariables(environment) };
print(headline);
if (values.idle) {
  print(`\nIdle, ${name} (synthesizing its templates, about a minute) …`);
  print(...idleReport([...idleCosts(await templatesOf(name)), ...canaryCosts(environment.canary, settings)]));
}
print('', ...workReport(work, estimate(work, settings)));
print('', ...peersReport(work, peerPrices));

function print(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

async function templatesOf(env: string): Promise<Template[]> {
  const folder = join('build', 'cdk-cost');
  const child = spawn('cdk', ['synth', '--quiet', '-c', `env=${env}`, '--output', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error('The templates could not be made: see above.');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.template.json'));
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Template),
  );
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${option} ${text}: a number is needed.\n\n${usage}`);
  process.exit(2);
}
