import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from '../../lib/environments.ts';
import { kinora, kinoraData } from '../../lib/kinora.ts';
import { cdkJson, shipped } from './assembly.ts';
import { bundled } from './built.ts';

beforeAll(bundled);

function appWith(add: (stack: Stack) => void): App {
  const app = new App({
    analyticsReporting: false,
    outdir: mkdtempSync(join(tmpdir(), 'kinora-rules-')),
    context: { ...cdkJson.context, 'aws:cdk:disable-asset-staging': true },
  });
  const environment = environmentOf('dev', shipped.dev);
  kinora(app, environment, kinoraData(app, environment));
  add(new Stack(app, 'Addition'));
  return app;
}

describe('the synthesis', () => {
  it('fails if cdk-nag finds an error', () => {
    const app = appWith((stack) => new Bucket(stack, 'Open'));
    expect(() => app.synth()).toThrow('AwsSolutions-S10');
  });

  it('fails if CloudFormation would refuse a template', () => {
    const app = appWith((stack) => {
      const code = { s3Bucket: 'bucket', s3Key: 'key' };
      new CfnFunction(stack, 'Odd', { code, role: 'arn:aws:iam::123456789012:role/a', memorySize: 1 });
    });
    expect(() => app.synth()).toThrow('MemorySize: 1 is less than the minimum');
  });

  it('accepts an exception from a rule only with a reason', () => {
    const app = appWith(() => {});
    const reasons = app.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.values(data as Record<string, string>));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason.split(' ').length, reason).toBeGreaterThan(7);
  });
});
