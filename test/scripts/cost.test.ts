import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';
import { estimate, type Workload } from '../../toolchain/costs/estimate.ts';
import { idleCosts } from '../../toolchain/costs/idle.ts';
import { awsPrices, PRICES_AS_OF } from '../../toolchain/costs/price-list.ts';
import { idleReport } from '../../toolchain/costs/report.ts';

const aws = { ENGINES: 'aws', MEDIA_BUCKET: 'media' };
const work: Workload = { hours: 1000, languages: 2, spoken: 2, pictures: true };
const MINUTES = 60_000;

/**
 * Calculated by hand from the pages that the table names (2026-11-22). An hour of video has 60 minutes of speech,
 * 54,000 characters, 3,600 pictures and 2,000 comparisons of faces. Each spoken language adds 45 GB-seconds per minute to the common 90.
 */
const byHand = {
  'speech to text': MINUTES * 0.024,
  'entities, phrases, mood': ((MINUTES * 900) / 1e6) * 3,
  faces: MINUTES * 60 * 0.001,
  'faces, compared': 1000 * 2000 * 0.001,
  'text in pictures': MINUTES * 60 * 0.001,
  translation: ((MINUTES * 900 * 2) / 1e6) * 15,
  'voice over': ((MINUTES * 900 * 2) / 1e6) * 16,
  steps: MINUTES * (90 + 45 * 2) * 0.000_013_333_4,
  'state machines': 1000 * 400 * 0.000_025,
};
const totalByHand = Object.values(byHand).reduce((sum, usd) => sum + usd);

const usdOf = (lines: readonly { what: string; usd: number | null }[]) =>
  Object.fromEntries(lines.map(({ what, usd }) => [what, usd]));

describe('the monthly cost of work', () => {
  it('equals a calculation with the published prices, line by line', () => {
    const found = usdOf(estimate(work, aws));
    expect(Object.keys(found)).toEqual(Object.keys(byHand));
    for (const [what, usd] of Object.entries(byHand)) expect(found[what], what).toBeCloseTo(usd, 6);
    expect(totalByHand).toBeCloseTo(1440 + 162 + 3600 + 2000 + 3600 + 1620 + 1728 + 144 + 10, 2);
  });

  it('omits work that was not requested, and is zero for free engines', () => {
    const plain = usdOf(estimate({ ...work, languages: 0, spoken: 0, pictures: false }, aws));
    const always = ['speech to text', 'entities, phrases, mood', 'steps', 'state machines'];
    expect(Object.keys(plain)).toEqual(always);
    const local = usdOf(estimate(work, { ...aws, ENGINE_FACES: 'face-api' }));
    expect(local.faces).toBe(0);
  });

  it('is unknown without a price, and uses the operator’s price', () => {
    const bedrock = { ...aws, ENGINE_TRANSLATION: 'bedrock', BEDROCK_MODEL_ID: 'amazon.nova-lite-v1:0' };
    expect(usdOf(estimate(work, bedrock)).translation).toBeNull();
    const own = estimate(work, { ...bedrock, PRICE_TRANSLATION: '1.5' });
    const translation = { what: 'translation', usd: (MINUTES * 900 * 2 * 1.5) / 1e6, source: null };
    expect(own).toContainEqual(expect.objectContaining(translation));
  });

  it('uses prices with the page of their provider', () => {
    for (const { source } of [...Object.values(awsPrices), ...estimate(work, aws)])
      expect(source).toMatch(/^https:\/\/aws\.amazon\.com\/[\w-]+\/pricing\//);
  });
});

describe('the cost of an idle environment', () => {
  it('is printed with its total and the pages of its prices', () => {
    const secret = { Type: 'AWS::SecretsManager::Secret' };
    const key = { Type: 'AWS::KMS::Key' };
    const printed = idleReport(idleCosts([{ Resources: { key } }, { Resources: { secret } }]));
    expect(printed.map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      'keys 1 1.00 USD',
      'secrets 1 0.40 USD',
      'a month, without use 1.40 USD',
      expect.stringMatching(/^Prices: .*secrets-manager\/pricing\//),
    ]);
  });
});

describe('npm run cost -- --hours 1000 --languages 2', () => {
  it('prints the lines, the total, and the date and pages of the prices', async () => {
    const args = ['scripts/cost.ts', '--hours', '1000', '--languages', '2', '--no-idle'];
    const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    const lines = stdout.split('\n');
    expect(lines[0]).toContain(`as of ${PRICES_AS_OF}`);
    expect(stdout).toContain('1000 hours of video, translated into 2, spoken in 2');
    const dollars = (usd: number) =>
      usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    expect(lines.find((line) => /^ {2}a month /.test(line))).toMatch(`${dollars(totalByHand)} USD`);
    for (const [what, usd] of Object.entries(byHand))
      expect(lines.find((line) => line.startsWith(`  ${what} (`))).toMatch(`${dollars(usd)} USD`);
    for (const { source } of estimate(work, aws)) expect(stdout).toContain(source);
  });
});
