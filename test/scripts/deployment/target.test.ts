import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../lib/environments.ts';
import {
  isLogGroupOf,
  isNameOf,
  partOf,
  targetNamed,
  targetOf,
} from '../../../scripts/deployment/targets.ts';

const target = targetOf(environmentOf('dev', { region: 'eu-central-1' }));
const atHome = targetOf(environmentOf('dev', { region: 'us-east-1' }));

describe('the environment in a command', () => {
  it.each([undefined, 'nowhere'])('must exist: %s', async (name) => {
    await expect(targetNamed(name, 'deploy')).rejects.toMatchObject({
      cure: expect.stringContaining('dev, preview, prod'),
    });
  });
});

describe('the resources of an environment', () => {
  it.each([
    ['eu-central-1', 'Kinora-dev-Data', 'Data'],
    ['us-east-1', 'Kinora-dev-SiteWatch-eu-central-1', 'SiteWatch'],
    ['eu-central-1', 'Kinora-dev-eu-Data', null],
    ['eu-central-1', 'Kinora-develop-Data', null],
    ['us-east-1', 'Kinora-dev-Data', null],
    ['us-east-1', 'Kinora-dev-SiteWatch-us-east-1', null],
    ['eu-central-1', 'CDKToolkit', null],
  ])('are found by their names in %s: the stack %s is %s', (region, stack, part) => {
    expect(partOf(target, region, stack)).toBe(part);
  });

  it('in us-east-1 exclude the resources of other regions there', () => {
    expect(partOf(atHome, 'us-east-1', 'Kinora-dev-Data')).toBe('Data');
    expect(partOf(atHome, 'us-east-1', 'Kinora-dev-SiteWatch-us-east-1')).toBe('SiteWatch');
    expect(partOf(atHome, 'us-east-1', 'Kinora-dev-SiteWatch-eu-central-1')).toBeNull();
    expect(isNameOf(atHome, 'us-east-1', 'Kinora-dev-SiteWatch-eu-central-1-Log-1A')).toBe(false);
    expect(isNameOf(atHome, 'us-east-1', 'Kinora-dev-SiteWatch-us-east-1-Log-1A')).toBe(true);
  });

  it.each([
    ['/kinora/dev/Assets', true],
    ['/aws/vendedlogs/kinora-dev-Api', true],
    ['/aws/vendedlogs/states/kinora-dev-Ingest', true],
    ['/aws/lambda/Kinora-dev-Jobs-MediaImageTrigger-1A', true],
    ['/kinora/dev-eu/Assets', false],
    ['/aws/vendedlogs/states/kinora-dev-eu-Ingest', false],
    ['/aws/lambda/Kinora-dev-eu-Jobs-Trigger-1A', false],
    ['/aws/lambda/somebody-elses', false],
  ])('include log groups by their names: %s is %s', (group, isOurs) => {
    expect(isLogGroupOf(target, 'eu-central-1', group)).toBe(isOurs);
  });

  it('are in one region if CloudFront needs nothing from us-east-1', () => {
    const elsewhere = { region: 'cn-north-1', site: { elsewhere: 'https://kinora.example' } };
    expect(targetOf(environmentOf('dev', elsewhere)).regions).toEqual(['cn-north-1']);
  });
});
