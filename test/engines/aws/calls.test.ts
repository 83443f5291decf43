/**
 * Tests every call to AWS that our code sends, against all documented answers of its service: the success, each error,
 * each partial success, and lost connections. The tests see what a step or a request sees after the last attempt of the
 * SDK.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stepFailures } from '../../../contract/kit/errors.ts';
import { broken, busy, retriers } from '../../../lib/jobs/retrying.ts';
import { asProblem } from '../../../platform/kernel/problem.ts';
import { JobError } from '../../../shared/job-errors.ts';
import { root } from '../../../toolchain/bundle/paths.ts';
import { type Answering, answeringWith, type Call, type Fate } from './calls.ts';
import { secretKeys } from './keys.ts';
import { machines } from './machines.ts';
import { objects } from './objects.ts';
import { sightsAndSounds } from './sights-and-sounds.ts';
import { storages } from './storages.ts';
import { stores } from './stores.ts';
import { texts } from './texts.ts';
import { transcribe } from './transcribe.ts';
import { type Asked, documentedErrors, ignoredConnections, lost, requiredOf, sources } from './wire.ts';

const calls = [
  ...transcribe,
  ...texts,
  ...sightsAndSounds,
  ...secretKeys,
  ...storages,
  ...stores,
  ...machines,
  ...objects,
];

/** This client signs URLs for requests of others, and sends no requests itself. */
const presigner = 'platform/objects/presigner.ts';

const nameOf = ({ file, service, operation }: Call) => `${file} ${service.name}:${operation}`;

const unanswered = 'an answer that does not come in time';

/** Operations that change something in AWS. The SDK, the step or the caller may repeat them. */
const changes = /^(?:Abort|Complete|Copy|Create|Delete|Put|Start|Transact|Update|Upload)/;

/** The calls that our code can send. A command must be imported before it can be sent. */
function sent(): string[] {
  return sources().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const imports = [...text.matchAll(/import (type )?([^;]*?) from '@aws-sdk\/client-([\w-]+)'/g)];
    return imports
      .filter(([, isType]) => isType === undefined)
      .flatMap(([, , names, service]) => {
        expect(names, `${file} imports by name`).toMatch(/^\{/);
        const commands = [...names!.matchAll(/(type )?\b(\w+)Command\b(?! as)/g)].filter(([, type]) => !type);
        return commands.map(([, , operation]) => `${file} ${service}:${operation}`);
      });
  });
}

/** All failures of a call: their names, the answers, and the expected results. */
function failuresOf(
  call: Call,
): readonly (readonly [name: string, answer: Answering, fate: Fate | undefined])[] {
  const { service, operation } = call;
  const fates: Readonly<Record<string, Fate>> = { ...service.fates, ...call.fates };
  const errors = [
    ...[...documentedErrors(service.name, operation), ...Object.keys(service.common)],
    // Errors that the service returns although its documentation does not list them for the operation.
    ...Object.keys(call.fates ?? {}).filter((name) => !(name in lost)),
  ];
  return [
    ...[...new Set(errors)].map((name) => {
      const status = service.common[name];
      return [name, { error: name, ...(status && { status }) }, fates[name]] as const;
    }),
    ...Object.entries(lost).map(([name, answer]) => [name, answer, fates[name]] as const),
    ...(call.partial ?? []),
  ];
}

/** The number of retries by a state machine for a step that failed with this name. */
const attemptsAfter = (name: string) =>
  retriers.find(({ ErrorEquals }) => ErrorEquals.includes(name) || ErrorEquals.includes('States.ALL'))!
    .MaxAttempts;

const attemptsOf = (errors: readonly string[]) =>
  retriers.find(({ ErrorEquals }) => ErrorEquals === errors)!.MaxAttempts;

/** The expected number of retries, by name of the failure. */
const attempts: Readonly<Record<string, number>> = {
  provider_throttled: attemptsOf(busy),
  provider_unavailable: attemptsOf(broken),
  internal_error: 4,
};

const codeOf = (fate: string) => (stepFailures as Readonly<Record<string, string>>)[fate] ?? fate;

async function holds(call: Call, name: string, answer: Answering, fate: Fate): Promise<void> {
  const before = ignoredConnections();
  const told = await call.drive(answeringWith(call, answer)).then(
    ({ given }) => ({ given }),
    (error: Error) => ({ error }),
  );
  // A request without an answer was really sent: to a socket that stays silent.
  if (answer === lost[unanswered]) expect(ignoredConnections()).toBeGreaterThan(before);
  if (typeof fate === 'object' && 'gives' in fate) {
    if ('error' in told) throw told.error;
    return matches(told.given, fate.gives);
  }
  if (!('error' in told)) return expect.fail(`${name} passes for success: ${JSON.stringify(told.given)}`);
  const { error } = told;
  if (typeof fate === 'object') {
    expect(error.name).toBe(fate.named);
  } else if (fate === 'passing' || fate === 'its own') {
    expect(error).not.toBeInstanceOf(JobError);
    expect(asProblem(error).code).toBe(fate === 'passing' ? 'temporarily_unavailable' : 'internal_error');
    expect(attemptsAfter(error.name)).toBeGreaterThan(0);
  } else {
    expect([error.name, (error as JobError).code]).toEqual([fate, codeOf(fate)]);
    // Users read this detail, and messages of the service may contain facts about the AWS account.
    expect((error as JobError).detail).not.toContain('says why');
    expect(attemptsAfter(fate)).toBe(attempts[fate] ?? 0);
  }
}

const matches = (given: unknown, wanted: unknown) =>
  wanted !== null && typeof wanted === 'object'
    ? expect(given).toMatchObject(wanted)
    : expect(given).toBe(wanted);

describe('the table of AWS calls', () => {
  it('lists exactly the calls that our code sends', () => {
    const known = [...new Set(calls.map(nameOf))];
    expect(known.sort()).toEqual([...new Set(sent())].filter((name) => !name.startsWith(presigner)).sort());
  });

  it('has an expected result for every error that the service documents', () => {
    const open = calls.flatMap((call) =>
      failuresOf(call)
        .filter(([, , fate]) => fate === undefined)
        .map(([name]) => `${nameOf(call)} ${name}`),
    );
    expect(open).toEqual([]);
  });
});

describe.each(calls.map((call) => [nameOf(call), call] as const))('%s', (_, call) => {
  it('sends all required members and reads the documented response', async () => {
    const { given, asked } = await call.drive(answeringWith(call));
    matches(given, call.gives);
    const own = asked.filter(({ operation }) => operation === call.operation);
    expect(own.length).toBeGreaterThan(0);
    for (const { input } of own)
      for (const member of requiredOf(call.service.sdk, call.operation)) expect(input[member]).toBeDefined();
    if (call.asks) expect(own[0]!.input).toMatchObject(call.asks);
  });

  it.each(failuresOf(call).filter(([, , fate]) => fate !== undefined))(
    'handles the error %s as expected',
    (name, answer, fate) => holds(call, name, answer, fate!),
  );

  if (changes.test(call.operation)) {
    it('is sent again unchanged if its response was lost, so that nothing is created twice', async () => {
      const sendings: Asked[] = [];
      const heard = (answer?: Answering) => (asked: Asked) => {
        if (asked.operation === call.operation) sendings.push(asked);
        return answeringWith(call, answer)(asked);
      };
      await call.drive(heard(lost['a reset connection'])).catch(() => {});
      const [first] = sendings.splice(0);
      await call.drive(heard());
      expect(first).toBeDefined();
      expect(isDeepStrictEqual(sendings[0], first)).toBe(true);
    });
  }
});
