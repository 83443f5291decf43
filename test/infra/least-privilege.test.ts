import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { declarations } from '../../engines/declarations.ts';
import { choose } from '../../engines/selection.ts';
import { logicalIdOf } from '../../lib/api/api-stack.ts';
import { apiSettings } from '../../lib/api/functions.ts';
import { schedules, steps } from '../../lib/jobs/steps.ts';
import type { Permissions } from '../../platform/kernel/permissions.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import type { Calls } from '../../toolchain/calls/graph.ts';
import { callsFile, callsOfFunctions, textOf } from '../../toolchain/calls.ts';
import { ofType, synthesize, type Template, type Templates } from './assembly.ts';
import { everything, protectedSettings } from './site-assembly.ts';

/** Actions that come with others, by those that they come with. */
const companions: Readonly<Record<string, readonly string[]>> = {
  // Without it S3 answers 403 rather than 404 for a missing object.
  's3:ListBucket': ['s3:GetObject', 's3:DeleteObject'],
  // What was begun in parts and fails is taken back.
  's3:AbortMultipartUpload': ['s3:PutObject', 's3:DeleteObject'],
  's3:ListBucketMultipartUploads': ['s3:DeleteObject', 's3:PutObject'],
  's3:ListMultipartUploadParts': ['s3:PutObject'],
};

/** What the graph takes for reached and is not. */
const overreaching: Readonly<Record<string, readonly string[]>> = {
  // An engine of transcription is made with what writes its vocabularies; discarding a job writes none.
  ClearIngest: ['s3:PutObject'],
};

let environments: Readonly<Record<Name, Pick<Templates, 'Api' | 'Data' | 'Jobs'>>>;
let calls: Readonly<Record<string, Calls>>;
let permissions: Readonly<Record<string, Permissions>>;

beforeAll(async () => {
  environments = {
    dev: synthesize('dev'),
    protected: (await everything('dev', protectedSettings)) as unknown as Templates,
    prod: synthesize('prod'),
  };
  calls = callsOfFunctions();
  permissions = Object.fromEntries([
    ...Object.entries(apiSettings).map(([name, settings]) => [
      logicalIdOf(name as never),
      settings.permissions,
    ]),
    ...Object.entries({ ...steps, ...schedules }).map(([name, settings]) => [name, settings.permissions]),
  ]);
});

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Record<string, string[]>>>;
}

/** One with a firewall and a secret before its API, and production's canary, have the same functions and may no more. */
const names = ['dev', 'protected', 'prod'] as const;
type Name = (typeof names)[number];

const templateOf = (name: Name, id: string): Template => {
  const { Api, Jobs } = environments[name];
  return Api.Resources[id] ? Api : Jobs;
};

/** Statements of a function's role, those of the media policies included. */
function statementsOf(name: Name, id: string): Statement[] {
  const { Policies = [], ManagedPolicyArns = [] } = templateOf(name, id).Resources[`${id}Role`]!.Properties;
  const attached = JSON.stringify(ManagedPolicyArns);
  const managed = ofType(environments[name].Data, 'AWS::IAM::ManagedPolicy').filter(([policy]) =>
    attached.includes(`Ref${policy}`),
  );
  const documents = [
    ...Policies.map((policy: { PolicyDocument: object }) => policy.PolicyDocument),
    ...managed.map(([, { Properties }]) => Properties.PolicyDocument),
  ];
  return documents.flatMap(({ Statement }) => list(Statement));
}

const allowedOf = (name: Name, id: string): string[] => [
  ...new Set(statementsOf(name, id).flatMap(({ Action }) => list(Action))),
];

/** What the engines in use need for the methods that a function calls. */
function engineActions(id: string): string[] {
  return calls[id]!.methods.flatMap((called) => {
    const [capability, method] = called.split('.') as [keyof typeof declarations, string];
    const choice = choose(capability, declarations[capability] ?? [], { ENGINES: 'aws' });
    if (choice.status === 'unavailable') return [];
    return (choice.engine.permissions[method] ?? []).flatMap(({ actions }) => actions);
  });
}

const tablesOf = (id: string) =>
  calls[id]!.tables as Calls['tables'] & Record<string, { actions: readonly string[] }>;
const reachedOf = (id: string): string[] => [
  ...new Set([
    ...calls[id]!.actions,
    ...Object.values(tablesOf(id)).flatMap(({ actions }) => actions),
    ...engineActions(id),
  ]),
];

/** What a rule finds in functions, by their ids. */
const findingsOf = (find: (id: string) => string[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(calls)
      .map((id) => [id, find(id)] as const)
      .filter(([, found]) => found.length > 0),
  );

describe('the policy of a function', () => {
  it('follows from what its code reaches: `node toolchain/calls.ts` writes it down', () => {
    expect(readFileSync(callsFile, 'utf8')).toBe(textOf(calls));
  });

  it.each(names)('has every action that its code can reach: %s', (name) => {
    const missing = findingsOf((id) => {
      const allowed = allowedOf(name, id);
      return reachedOf(id).filter((action) => !allowed.includes(action));
    });
    expect(missing).toEqual(overreaching);
  });

  it.each(names)('has no action that its code cannot reach: %s', (name) => {
    const idle = findingsOf((id) => {
      const reached = reachedOf(id);
      return allowedOf(name, id).filter(
        (action) =>
          // Lambda itself sends in the function's name what that failed at.
          !/^(logs|kms|xray|sqs):/.test(action) &&
          !reached.includes(action) &&
          !companions[action]?.some((one) => reached.includes(one)),
      );
    });
    expect(idle).toEqual({});
  });

  it.each(names)(
    'has the table and the kind of partition that its code reaches, and no others: %s',
    (name) => {
      for (const id of Object.keys(calls)) {
        const given = statementsOf(name, id)
          .filter(({ Action }) => list(Action).some((action) => action.startsWith('dynamodb:')))
          .map(({ Resource, Action, Condition }) => [
            /GetAtt(Core|Auth|Ephemeral)/.exec(JSON.stringify(Resource))?.[1] ?? JSON.stringify(Resource),
            {
              actions: list(Action).sort(),
              keys: Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'],
            },
          ]);
        expect(Object.fromEntries(given), id).toEqual(tablesOf(id));
      }
    },
  );

  it('calls the methods of engines that its line says, and says those that it calls', () => {
    for (const id of Object.keys(permissions)) {
      const said = Object.entries(permissions[id]!.engines ?? {}).flatMap(([capability, methods]) =>
        (methods as readonly string[]).map((method) => `${capability}.${method}`),
      );
      const needing = calls[id]!.methods.filter((called) => {
        const [capability, method] = called.split('.') as [keyof typeof declarations, string];
        return (declarations[capability] ?? []).some(({ permissions }) => permissions[method] !== undefined);
      });
      expect(
        needing.filter((called) => !said.includes(called)),
        id,
      ).toEqual([]);
    }
  });
});

describe('the table Ephemeral', () => {
  it('is given to what the graph of calls takes for its users, and to nothing else', () => {
    const found = execFileSync(
      'grep',
      ['-rhoE', '[[:alnum:] ]+\\(ephemeralTable\\(', 'lambdas', 'platform'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const users = new Set(
      found
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    );
    expect([...users].sort()).toEqual([
      'await claim(ephemeralTable(',
      'await countRequest(ephemeralTable(',
      'new JobSlots(ephemeralTable(',
      'new QuotaHolds(ephemeralTable(',
    ]);
  });
});
