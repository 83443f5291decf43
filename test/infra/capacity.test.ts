import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProviderQuotaName, providerQuotaNames, providerQuotas } from '../../engines/provider-quotas.ts';
import { type EnvironmentSettings, environmentOf } from '../../lib/environments.ts';
import { narrowed, readDefinitions, type Scope, tasksOf, widthOf } from '../../lib/jobs/definitions.ts';
import { capacityOf, fitted, functionsAt, providerPoolsOf } from '../../lib/jobs/provider-pools.ts';
import { settingsOf } from '../../lib/jobs/steps.ts';

const machines = readDefinitions().map(({ name, body, steps }) => ({
  name,
  steps,
  machine: JSON.parse(body) as Scope,
}));
const capacity = (lambdaConcurrency: number) => capacityOf({ quotas: { lambdaConcurrency } })!;

describe('the concurrency of an account', () => {
  it.each([10, 50, 100, 400, 1000, 10_000])(
    'leaves a fifth for requests, if machines run their usual number of functions, at a quota of %d',
    (quota) => {
      const { jobsAtOnce, width } = capacity(quota);
      expect(jobsAtOnce * Math.min(8, width)).toBeLessThanOrEqual(0.8 * quota);
      expect(width * 4).toBeLessThanOrEqual(Math.max(4, 0.8 * quota));
    },
  );

  it('allows four jobs with two functions each in a new account, and a hundred jobs in others', () => {
    expect(capacity(10)).toEqual({ jobsAtOnce: 4, width: 2 });
    expect(capacity(1000)).toEqual({ jobsAtOnce: 100, width: 32 });
    expect(capacityOf({ quotas: { lambdaConcurrency: Number.POSITIVE_INFINITY } })).toBeNull();
  });
});

describe.each(machines)('the machine $name', ({ machine }) => {
  it('states how many functions it runs in parallel, and never runs more', () => {
    expect(widthOf(machine)).toBeLessThanOrEqual(32);
    expect(narrowed(machine, 32)).toEqual(machine);
  });

  it.each([10, 100, 1000])('fits into an account with %d concurrent functions', (quota) => {
    const { width } = capacity(quota);
    // A machine with branches keeps one place for each branch.
    expect(widthOf(narrowed(machine, width))).toBeLessThanOrEqual(Math.max(2, width));
  });
});

const accountOf = (quotas: EnvironmentSettings['quotas'], more: Partial<EnvironmentSettings> = {}) =>
  environmentOf('dev', { region: 'eu-central-1', quotas: { ...quotas }, ...more });
function itemsAt(map: string, environment: ReturnType<typeof accountOf>): number {
  const [machineName, name] = map.split('.');
  const { machine, steps } = machines.find((one) => one.name === machineName)!;
  const found = new RegExp(`"${name}":\\{"Type":"Map".*?"MaxConcurrency":(\\d+)`);
  return Number(found.exec(JSON.stringify(fitted(machine, steps, environment)))![1]);
}

describe('provider quotas', () => {
  const rich = { lambdaConcurrency: 1000 };

  it('all have a default value and the page that states it', () => {
    for (const name of providerQuotaNames) {
      expect(providerQuotas[name].given).toBeGreaterThan(0);
      expect(providerQuotas[name].source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
    }
  });

  it('limit the number of jobs that use a provider, and the number of parallel requests of each job', () => {
    const pools = providerPoolsOf(accountOf(rich))!;
    expect(Object.entries(pools).map(([name, { most }]) => [name, most])).toEqual([
      ['transcribeJobs', 62],
      ['rekognitionTextPerSecond', 5],
      ['rekognitionFacesPerSecond', 25],
      ['pollyPerSecond', 4],
    ]);
    expect(pools.pollyPerSecond!.machines).toEqual({ Ingest: ['speech'], VoiceOver: ['speech'] });
    expect(itemsAt('Ingest.LookAtSpans', accountOf(rich))).toBe(2);
    const more = { ...rich, rekognitionTextPerSecond: 50, rekognitionFacesPerSecond: 100 };
    expect(itemsAt('Ingest.LookAtSpans', accountOf(more))).toBe(4);
    expect(providerPoolsOf(accountOf(more))!.rekognitionTextPerSecond!.most).toBe(25);
  });

  it('do not change machines that do not use the provider', () => {
    const [scarce, usual] = [accountOf({ ...rich, pollyPerSecond: 1 }), accountOf(rich)];
    expect(itemsAt('VoiceOver.SpeakLanguages', scarce)).toBe(1);
    for (const { machine, steps } of machines.filter(({ name }) => ['Clips', 'Export'].includes(name)))
      expect(fitted(machine, steps, scarce)).toEqual(machine);
    expect(itemsAt('Ingest.TranscribePieces', scarce)).toBe(itemsAt('Ingest.TranscribePieces', usual));
  });

  it("apply only to the engine in use; that of Bedrock applies only if the environment's file states it", () => {
    const engineSettings = { BEDROCK_MODEL_ID: 'amazon.nova-lite-v1:0' };
    const bedrock = { engineOverrides: { translation: 'bedrock' }, engineSettings };
    const quotas = { ...rich, bedrockPerMinute: 60, translatePerSecond: 1 };
    expect(providerPoolsOf(accountOf(quotas, bedrock))).toMatchObject({
      bedrockPerMinute: { most: 2, machines: { Ingest: ['translation'], Translation: ['translation'] } },
    });
    expect(providerPoolsOf(accountOf(quotas, bedrock))).not.toHaveProperty('translatePerSecond');
    expect(itemsAt('Translation.TranslateLanguages', accountOf(quotas, bedrock))).toBe(1);
    expect(providerPoolsOf(accountOf(rich, bedrock))).not.toHaveProperty('bedrockPerMinute');
  });

  it("limit nothing on a developer's computer", () => {
    const { machine, steps } = machines.find(({ name }) => name === 'Ingest')!;
    const local = { ...accountOf(rich), quotas: { ...accountOf(rich).quotas, lambdaConcurrency: Infinity } };
    expect(providerPoolsOf(local)).toBeNull();
    expect(fitted(machine, steps, local)).toBe(machine);
  });

  const count = fc.integer({ min: 1, max: 400 });
  const drawn = fc.record({
    lambdaConcurrency: fc.integer({ min: 10, max: 3000 }),
    ...(Object.fromEntries(providerQuotaNames.map((name) => [name, count])) as Record<
      ProviderQuotaName,
      typeof count
    >),
  });

  it('are not exceeded by the jobs that may use the provider, for any quotas', () => {
    const check = fc.property(drawn, (quotas) => {
      const account = accountOf(quotas);
      for (const [name, { most, machines: users }] of Object.entries(providerPoolsOf(account)!)) {
        const widths = machines
          .filter((machine) => users[machine.name])
          .map(({ name: machineName, machine, steps }) => {
            const asking = steps.filter((step) =>
              users[machineName]!.some((one) => one in (settingsOf(step).permissions.engines ?? {})),
            );
            return widthOf(fitted(machine, steps, account), tasksOf(new Set(asking)));
          });
        const functions = functionsAt(name as ProviderQuotaName, account.quotas);
        expect(widths.length).toBeGreaterThan(0);
        expect(most * Math.max(...widths)).toBeLessThanOrEqual(functions);
      }
    });
    fc.assert(check, { numRuns: 25 });
  });
});
