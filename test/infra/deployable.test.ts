/** Finds settings in the templates that AWS refuses in a new account, in a second region or in another partition. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newAccount } from '../../lib/environments.ts';
import { capacityOf } from '../../lib/jobs/provider-pools.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { ofType, type Resource, type Template } from './assembly.ts';
import { everything, guarded } from './site-assembly.ts';

type Stacks = Readonly<Record<string, Template>>;

let dev: Stacks;
/** The settings of an account with high quotas, in another partition. */
let china: Stacks;
beforeAll(async () => {
  dev = await everything('dev');
  china = await everything('dev', {
    region: 'cn-north-1',
    site: { elsewhere: 'https://kinora.example' },
    quotas: { lambdaMemory: 10_240, lambdaConcurrency: 1000 },
    stepMemory: { RenderChunk: 5307 },
    architecture: 'x86_64',
  });
});

const all = (stacks: Stacks, type: string) =>
  Object.values(stacks).flatMap((template) => ofType(template, type));

const widths = (definition: unknown) =>
  [...JSON.stringify(definition).matchAll(/MaxConcurrency\\*":(\d+)/g)].map(([, width]) => Number(width));

// Lambda Developer Guide, "Lambda quotas": the quotas of new accounts are lower than the listed defaults.
describe('in a new account', () => {
  it('no function needs more than 3,008 MB', () => {
    const functions = all(dev, 'AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(70);
    for (const [id, { Properties }] of functions) {
      expect(Properties.MemorySize ?? 128, id).toBeLessThanOrEqual(3008);
    }
  });

  it('no function reserves concurrency: AWS keeps 100 unreserved, and a new account has only 10', () => {
    for (const [id, { Properties }] of all(dev, 'AWS::Lambda::Function')) {
      expect(Properties.ReservedConcurrentExecutions, id).toBeUndefined();
    }
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version']) {
      for (const [id, { Properties }] of all(dev, type)) {
        expect(Properties.ProvisionedConcurrencyConfig, id).toBeUndefined();
      }
    }
  });

  it('no execution uses all concurrent functions, so that the API can still run', () => {
    const { jobsAtOnce, width } = capacityOf({ quotas: newAccount })!;
    expect(jobsAtOnce * width).toBeLessThanOrEqual(newAccount.lambdaConcurrency - 2);
    const { DefinitionString } = dev.Jobs!.Resources.ClipsMachine!.Properties;
    expect(widths(DefinitionString).reduce((product, one) => product * one)).toBeLessThanOrEqual(width);
  });

  it('machines run fewer functions in parallel than their files state only if the account has too few', () => {
    expect(widths(china.Jobs!.Resources.ClipsMachine!.Properties.DefinitionString)).toEqual([4, 8]);
    expect(china.Jobs!.Resources.RenderChunk!.Properties.MemorySize).toBe(5307);
  });

  it('functions run on arm64 if the file of the environment names no other processor', () => {
    const processor = (stacks: Stacks) => stacks.Api!.Resources.Assets!.Properties.Architectures;
    expect([processor(dev), processor(china)]).toEqual([['arm64'], ['x86_64']]);
  });
});

describe('in a second region of an account', () => {
  /** Names of these types are unique in the account, not in the region. So are the names of all resources in us-east-1. */
  const ofTheAccount =
    /^AWS::(CloudFront|S3|Route53)::|^AWS::IAM::(Role|ManagedPolicy|User|Group)$|^AWS::CloudWatch::Dashboard$/;
  /** `Name: 'x'` at any depth, except where the member names another resource. */
  const namesIn = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          /^(Name|.*(Bucket|Role|Policy|Dashboard|Alarm)Name)$/.test(key) && typeof inner === 'string'
            ? [inner]
            : namesIn(inner),
        );
  const ownNames = ({ Properties: { Tags: _, Dimensions: __, Policies: ___, ...rest } }: Resource) =>
    namesIn(rest);

  it('no name is used twice: names that are unique in an account contain the region, or CloudFormation chooses them', () => {
    const found = Object.entries(dev).flatMap(([part, { Resources }]) =>
      Object.values(Resources)
        .filter(({ Type }) => part.startsWith('SiteWatch') || ofTheAccount.test(Type))
        .flatMap(ownNames),
    );
    expect(found.length).toBeGreaterThan(9);
    expect(found.filter((name) => !name.includes('eu-central-1'))).toEqual([]);
  });

  it('no stack has the same name: the name of the one in us-east-1 contains the region that it serves', () => {
    expect(Object.keys(dev).sort()).toEqual(['Api', 'Data', 'Jobs', 'Ops', 'Site', 'SiteWatch-eu-central-1']);
  });
});

describe('in another partition', () => {
  it('all ARNs are of that partition', () => {
    const text = JSON.stringify(china);
    expect(text).toContain('arn:aws-cn:');
    expect([...text.matchAll(/.{40}arn:aws:.{40}/g)].map(([found]) => found)).toEqual([]);
  });

  it('the site is left out if CloudFront is not available, and problem types refer to a site at another address', () => {
    expect(Object.keys(china).sort()).toEqual(['Api', 'Data', 'Jobs', 'Ops']);
    const { Variables } = china.Api!.Resources.Assets!.Properties.Environment;
    expect(Variables.SITE_URL).toBe('https://kinora.example');
  });

  // State machine files name `arn:aws:states:`, as AWS tools expect; the synthesis replaces the partition.
  it('no source contains the name of a partition, except in comments', () => {
    const folders = ['bin', 'edge', 'engines', 'environments', 'lambdas', 'lib', 'platform'];
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|json)$/.test(file))
        .map((file) => join(folder, file)),
    );
    const lines = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => /arn:aws[a-z-]*:/.test(line.replace(/^\s*(\/?\*\*?|\/\/).*|\s\/\/ .*/, '')))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(lines).toEqual([]);
  });
});

describe('references between stacks', () => {
  interface Reference {
    readonly StackName: string;
    readonly OutputName: string;
  }
  /** References from one region to another. Each is read by a call of DescribeStacks. */
  const weakIn = (template: Template): Reference[] =>
    [...JSON.stringify(template).matchAll(/\{"Fn::GetStackOutput":(\{[^}]*\})/g)].map(
      ([, reference]) => JSON.parse(reference!) as Reference,
    );
  const importsIn = (template: Template): Reference[] =>
    [...JSON.stringify(template).matchAll(/\{"Fn::ImportValue":"(.+?):(.+?)"\}/g)].map(
      ([, StackName, OutputName]) => ({ StackName: StackName!, OutputName: OutputName! }),
    );
  const referencesOf = (template: Template) => [...weakIn(template), ...importsIn(template)];
  const partOf = ({ StackName }: Reference) => StackName.replace('Kinora-dev-', '');

  it('refer to existing outputs, and to exports within a region', () => {
    for (const reference of Object.values(dev).flatMap(weakIn)) {
      expect(dev[partOf(reference)]?.Outputs, reference.StackName).toHaveProperty(reference.OutputName);
    }
    const imports = Object.values(dev).flatMap(importsIn);
    expect(imports.length).toBeGreaterThan(20);
    for (const reference of imports) {
      const name = `${reference.StackName}:${reference.OutputName}`;
      expect(dev[partOf(reference)]?.Outputs[reference.OutputName], name).toMatchObject({
        Export: { Name: name },
      });
    }
  });

  // Each Fn::GetStackOutput is a call of DescribeStacks. AWS throttled the 75 calls of one template, and the deployment
  // failed (https://github.com/aws/aws-cdk/issues/38010). Fn::ImportValue makes no call.
  it('are few in each template if CloudFormation must look them up, also with a firewall', async () => {
    for (const [part, template] of [...Object.entries(dev), ...Object.entries(await guarded())]) {
      expect(weakIn(template).length, part).toBeLessThanOrEqual(5);
    }
  });

  it('to resources that settings can remove are read once for the API, and its functions refer to that value', async () => {
    const { Api } = await guarded();
    const { API_URL, EDGE_SECRET } = Api!.Resources.Assets!.Properties.Environment.Variables;
    expect(API_URL).toEqual({ 'Fn::GetAtt': ['ApiOrigin', 'Value'] });
    expect(JSON.stringify(EDGE_SECRET)).toContain('{"Fn::GetAtt":["EdgeSecretArn","Value"]}');
    // Stores the ARN of the secret: Parameter Store would show the value itself.
    expect(JSON.stringify(Api!.Resources.EdgeSecretArn!.Properties.Value)).not.toContain('{{resolve:');
  });

  it('allow changes of settings: removed resources stay exported, or have weak references', async () => {
    const { Site, Api, Data } = await guarded();
    const exported = ({ Outputs }: Template, of: RegExp) =>
      Object.keys(Outputs).filter((name) => /^Exports/.test(name) && of.test(name));
    const domainName = exported(dev.Site!, /SiteDistributionDomainName/);
    expect(domainName).toHaveLength(1);
    expect(Site!.Outputs).toHaveProperty(domainName);
    expect(JSON.stringify(Api!.Resources.ApiOrigin)).toContain('EdgeDistribution');
    expect(exported(Data!, /Edge/)).toEqual([]);
    // "You can include up to 60 dynamic references in a stack template" (CloudFormation User Guide).
    expect(JSON.stringify(Api).match(/\{\{resolve:/g)!.length).toBeLessThanOrEqual(60);
  });

  it('have one direction: a stack is deployed after all stacks to which it refers', () => {
    const earlier = (part: string): string[] => {
      const direct = [...new Set(referencesOf(dev[part]!).map(partOf))];
      return [...new Set([...direct, ...direct.flatMap(earlier)])].sort();
    };
    expect(earlier('Site')).toEqual(['Data']);
    expect(earlier('Jobs')).toEqual(['Data']);
    expect(earlier('Api')).toEqual(['Data', 'Jobs', 'Site']);
    expect(earlier('SiteWatch-eu-central-1')).toEqual(['Data', 'Site']);
  });

  it('give the API the address of the site, and the site the address of the API', () => {
    const { Variables } = dev.Api!.Resources.Assets!.Properties.Environment;
    expect(JSON.stringify(Variables.SITE_URL)).toContain('SiteDistribution');
    const [api] = dev.Site!.Resources.SiteObjects!.Properties.Filling;
    expect(JSON.stringify(api.Value)).toContain('ExportsOutputRefApi');
    expect(JSON.stringify(api.Value)).toContain('.execute-api.eu-central-1.');
  });
});
