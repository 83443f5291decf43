import { beforeAll, describe, expect, it } from 'vitest';
import { ofType, type Resource, synthesize, type Template } from './assembly.ts';
import { beyond } from './limits.ts';
import { everything, guarded } from './site-assembly.ts';

let environments: readonly Readonly<Record<string, Template>>[];
let templates: readonly Template[];

beforeAll(async () => {
  environments = [await everything('dev'), await guarded(), synthesize('prod')];
  templates = environments.flatMap((all) => Object.values(all));
});

const withOne = (Type: string, Properties: object): Template => ({
  Resources: { Odd: { Type, Properties } as Resource },
  Outputs: {},
});

describe('the AWS limits for templates', () => {
  it('are not exceeded by any template, after references are resolved', () => {
    expect(templates.flatMap(beyond)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['AWS::Lambda::Function', { Environment: { Variables: { A: 'x'.repeat(4096) } } }, 'bytes of variables'],
    ['AWS::IAM::Role', { Policies: [{ PolicyDocument: 'x'.repeat(10_240) }] }, 'inline policies'],
    ['AWS::IAM::ManagedPolicy', { PolicyDocument: Array(60).fill({ Ref: 'A' }) }, 'characters'],
    [
      'AWS::CloudFront::Function',
      { FunctionCode: { 'Fn::Join': ['', ['x'.repeat(10_200), { Ref: 'A' }]] } },
      'code',
    ],
    ['AWS::Events::Rule', { EventPattern: {}, Targets: Array(6).fill({}) }, '6 targets'],
    ['AWS::CloudWatch::Alarm', { Period: 300, EvaluationPeriods: 300 }, 'Infinity seconds looked at'],
  ])('are checked: %s', (type, properties, what) => {
    expect(beyond(withOne(type, properties))).toEqual([expect.stringContaining(what)]);
  });

  it('each export name is unique in an account', () => {
    const exported = (all: Readonly<Record<string, Template>>) =>
      Object.values(all).flatMap(({ Outputs = {} }) =>
        Object.values(Outputs).flatMap(({ Export }) => (Export ? [Export.Name] : [])),
      );
    const names = [environments[0]!, environments[2]!].flatMap(exported);
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
  });

  // Lambda Developer Guide, "Lambda runtimes". The library that starts the build of the image uses the older one.
  it('only runtimes that Lambda offers are used', () => {
    const runtimes = templates
      .flatMap((template) => ofType(template, 'AWS::Lambda::Function'))
      .map(([, { Properties }]) => Properties.Runtime ?? Properties.PackageType);
    expect([...new Set(runtimes)].sort()).toEqual(['Image', 'nodejs22.x', 'nodejs24.x']);
  });
});

describe('resources that CloudFormation creates at the same time', () => {
  const waitsFor = (ids: ReadonlySet<string>, { DependsOn = [] }: Resource) =>
    [DependsOn].flat().some((id) => ids.has(id));

  // AWS General Reference, "CloudWatch Logs endpoints and quotas": 5 PutMetricFilter a second.
  it('are at most four log filters in each stack', () => {
    for (const template of templates) {
      const filters = ofType(template, 'AWS::Logs::MetricFilter');
      const ids = new Set(filters.map(([id]) => id));
      const first = filters.filter(([, filter]) => !waitsFor(ids, filter));
      expect(first.length).toBeLessThanOrEqual(4);
    }
  });

  it('include every alias of a gradual rollout, so that all change in the same minutes', () => {
    const { Resources } = environments[2]!.Api!;
    const aliases = ofType(environments[2]!.Api!, 'AWS::Lambda::Alias').map(([id]) => id);
    expect(aliases.length).toBeGreaterThan(25);
    for (const id of aliases) {
      expect(
        [...beforehand(id, Resources)].filter((other) => aliases.includes(other)),
        id,
      ).toEqual([]);
    }
  });
});

/** The resources that CloudFormation creates before a resource: those that it refers to, and those that they refer to. */
function beforehand(
  id: string,
  resources: Template['Resources'],
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  const { DependsOn = [], ...rest } = resources[id]!;
  const text = JSON.stringify(rest);
  const named = [...text.matchAll(/"Ref":"(\w+)"|"Fn::GetAtt":\["(\w+)"/g)].map(([, ref, of]) => ref ?? of!);
  for (const other of [...[DependsOn].flat(), ...named]) {
    if (other === id || found.has(other) || resources[other] === undefined) continue;
    found.add(other);
    beforehand(other, resources, found);
  }
  return found;
}
