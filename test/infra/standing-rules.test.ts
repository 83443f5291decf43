import { beforeAll, describe, expect, it } from 'vitest';
import type { Resource, Template } from './assembly.ts';
import { apart, everything, protectedSettings } from './site-assembly.ts';
import { losing, misnamed, unencrypted, unforgetting } from './standing-rules.ts';

/** Templates by environment. One environment has every option, in place of those that users define. */
let environments: Readonly<Record<'dev' | 'protected' | 'prod', Readonly<Record<string, Template>>>>;

beforeAll(async () => {
  environments = {
    dev: await everything('dev'),
    protected: await everything('dev', protectedSettings),
    prod: await apart('prod'),
  };
});

const everyTemplate = () => Object.values(environments).flatMap((templates) => Object.values(templates));
const every = (rule: (template: Template) => string[]) => everyTemplate().flatMap(rule);
const withOne = (Type: string, Properties: object, id = 'Odd'): Template => ({
  Resources: { [id]: { Type, Properties } as Resource },
  Outputs: {},
});

describe('every template', () => {
  it('encrypts stored data', () => {
    expect(every(unencrypted)).toEqual([]);
    expect(unencrypted(withOne('AWS::SQS::Queue', {}))).toEqual(['Odd: is not encrypted']);
    expect(unencrypted(withOne('AWS::RDS::DBInstance', {}))).toHaveLength(1);
    expect(unencrypted(withOne('AWS::SQS::QueuePolicy', {}))).toEqual([]);
  });

  it('has an expiry for all logs, also for those that Lambda would create', () => {
    expect(every(unforgetting)).toEqual([]);
    expect(unforgetting(withOne('AWS::Logs::LogGroup', {}))).toHaveLength(1);
    expect(unforgetting(withOne('AWS::Lambda::Function', {}))).toHaveLength(1);
  });

  it('stores failed messages, unless the same work is repeated within minutes', () => {
    for (const templates of Object.values(environments)) {
      const alarms = Object.values(templates).flatMap(({ Resources }) => Object.keys(Resources));
      expect(Object.values(templates).flatMap((template) => losing(template, alarms))).toEqual([]);
    }
    const schedule = { ScheduleExpression: 'rate(1 minute)', Target: {} };
    // Without an alarm on missing runs, a stopped schedule would go unnoticed.
    expect(losing(withOne('AWS::Scheduler::Schedule', schedule, 'SweepSchedule'))).toHaveLength(1);
    expect(losing(withOne('AWS::Events::Rule', { Targets: [{}] }))).toHaveLength(1);
  });

  it('contains the name of its environment, and no fixed name for a resource that may have to be replaced', () => {
    const { prod, ...ofDev } = environments;
    for (const templates of Object.values(ofDev))
      expect(Object.values(templates).flatMap((template) => misnamed(template, 'dev'))).toEqual([]);
    expect(Object.values(prod).flatMap((template) => misnamed(template, 'prod'))).toEqual([]);
    expect(misnamed(withOne('AWS::S3::Bucket', { BucketName: 'kinora-dev' }), 'dev')).toHaveLength(1);
    expect(misnamed(withOne('AWS::CloudWatch::Alarm', { AlarmName: 'kinora-device' }), 'dev')).toHaveLength(
      1,
    );
  });
});
