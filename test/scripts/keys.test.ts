import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const keys = (...args: string[]) => spawnSync('node', ['scripts/keys.ts', ...args], { encoding: 'utf8' });

const commands = ['create', 'list', 'rotate', 'revoke', 'suspend', 'resume', 'limits'];

describe('npm run keys', () => {
  it('lists its subcommands with --help', () => {
    const { status, stdout, stderr } = keys('--help');
    expect([status, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toContain(`npm run keys -- ${command} `);
  });

  it.each(commands)('shows the usage of %s with --help, and does nothing', (command) => {
    const { status, stdout, stderr } = keys(command, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/npm run keys/g)).toHaveLength(1);
    expect(stdout).toContain(`npm run keys -- ${command} `);
  });

  it('shows its usage for an unknown subcommand, and fails', () => {
    const { status, stdout, stderr } = keys('destroy');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm run keys -- create ');
  });
});
