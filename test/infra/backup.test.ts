import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { type EnvironmentSettings, environmentOf } from '../../lib/environments.ts';
import { kinoraData } from '../../lib/kinora.ts';
import { targetOf } from '../../scripts/deployment/targets.ts';
import { cdkJson, ofType, shipped, type Template } from './assembly.ts';

const backup = { region: 'eu-west-1', keepDays: 35 };
const settings: EnvironmentSettings = { ...shipped.prod, account: '123456789012', backup };

describe('the backup in a second region', () => {
  it('copies the durable tables and media each day into the vault of that region', () => {
    const app = new App({ analyticsReporting: false, context: cdkJson.context });
    const environment = environmentOf('prod', settings);
    kinoraData(app, environment);
    const assembly = app.synth();
    const stackOf = (part: string) => assembly.getStackByName(`Kinora-prod-${part}`);
    const second = stackOf('Backup-eu-central-1');
    expect(second.environment.region).toBe('eu-west-1');
    expect(targetOf(environment).regions).toEqual(['eu-central-1', 'us-east-1', 'eu-west-1']);
    const { Resources } = stackOf('Data').template as Template;
    const name = (second.template as Template).Resources.BackupVault!.Properties.BackupVaultName;
    const [rule] = Resources.BackupPlan!.Properties.BackupPlan.BackupPlanRule;
    expect(rule.CopyActions).toMatchObject([{ Lifecycle: { DeleteAfterDays: 35 } }]);
    const copy = JSON.stringify(rule.CopyActions[0].DestinationBackupVaultArn);
    expect(copy).toContain(`:backup:eu-west-1:123456789012:backup-vault:${name}`);
    expect(Resources.BackupSelection!.Properties.BackupSelection.Resources).toEqual(
      ['Core', 'Auth', 'Media'].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })),
    );
    // A deleted environment keeps its backups.
    for (const template of [stackOf('Data').template, second.template] as Template[])
      for (const [, vault] of ofType(template, 'AWS::Backup::BackupVault'))
        expect(vault.DeletionPolicy).toMatch(/^Retain/);
  });

  it.each<[string, Partial<EnvironmentSettings>]>([
    ['backup.region', { backup: { ...backup, region: 'eu-central-1' } }],
    ['backup.keepDays', { backup: { ...backup, keepDays: 1 } }],
    ['pointInTimeRecovery', { pointInTimeRecovery: false }],
  ])('is refused with a wrong %s', (fault, wrong) => {
    expect(() => environmentOf('prod', { ...settings, ...wrong })).toThrow(fault);
  });
});
