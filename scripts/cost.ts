/**
 * `npm run cost`: what an environment costs in AWS, idle and at work, side by side with what others ask. Nothing is asked of
 * AWS: prices are a dated list with sources (toolchain/costs/price-list.ts, and the engines' own).
 */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentNamed } from '../lib/environments.ts';
import { canaryCosts } from '../toolchain/costs/canary.ts';
import { estimate, type Workload } from '../toolchain/costs/estimate.ts';
import { idleCosts, type Template } from '../toolchain/costs/idle.ts';
import { PRICES_AS_OF, peerPrices } from '../toolchain/costs/price-list.ts';

const usage = `npm run cost -- [dev|preview|prod|…] [--hours 100] [--languages 1] [--spoken 1] [--no-pictures]

  --hours      hours of video in a month
  --languages  into how many languages each is translated
  --spoken     in how many of them it is spoken
  --no-pictures  without faces and text in pictures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    hours: { type: 'string', default: '100' },
    languages: { type: 'string', default: '1' },
    spoken: { type: 'string' },
    pictures: { type: 'boolean', default: true },
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
console.log(
  `List prices of US East (N. Virginia), as of ${PRICES_AS_OF}; tiers and free tiers left out. AWS's pages decide.\n`,
);

console.log(`Idle, ${name} (synthesizing its templates, about a minute) …`);
const idle = [...idleCosts(await templatesOf(name)), ...canaryCosts(environment.canary, settingsOf())];
table([
  ...idle.map(({ what, count, usd }) => [what, Math.round(count).toLocaleString('en'), dollars(usd)]),
  ['a month, without use', '', dollars(idle.reduce((sum, { usd }) => sum + usd, 0))],
]);

const lines = estimate(work, settingsOf());
console.log(
  `\n${work.hours} hours of video, translated into ${work.languages}, spoken in ${work.spoken}${work.pictures ? '' : ', pictures not looked at'}`,
);
table([
  ...lines.map(({ what, by, quantity, usd }) => [
    `${what} (${by})`,
    quantity,
    usd === null ? 'unknown' : dollars(usd),
  ]),
  ['a month', '', dollars(lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0))],
]);

console.log('\nOthers, for the same');
table(
  peerPrices.map(({ peer, does, usd, asOf, note }) => [
    `${does}: ${peer}${note ? `, ${note}` : ''}`,
    `as of ${asOf}`,
    dollars(usd * work.hours * 60 * (does === 'dubbing' ? work.spoken : 1)),
  ]),
);

/** As the functions of the environment see them. */
function settingsOf(): Record<string, string> {
  const chosen = Object.entries(environment.engineOverrides ?? {}).map(([capability, engine]) => [
    `ENGINE_${capability.toUpperCase()}`,
    engine,
  ]);
  return {
    ENGINES: 'aws',
    MEDIA_BUCKET: 'media',
    ...environment.engineSettings,
    ...Object.fromEntries(chosen),
  };
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

function table(rows: readonly (readonly string[])[]): void {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const [what, count, usd] of rows) {
    console.log(
      `  ${what!.padEnd(widths[0]!)}  ${count!.padStart(widths[1]!)}  ${usd!.padStart(widths[2]!)}`,
    );
  }
}

function dollars(usd: number): string {
  return `${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;
}
