import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Tool = {
  for: string;
  commands: string[];
  files?: string[];
  apt: string[];
  dnf?: string[];
  brew?: string[];
  instead?: string;
};
type Engines = {
  tools: Tool[];
  missingTools(profiles: string[], host: { path: string }): Tool[];
  advice(missing: Tool[], host: { packager?: string; isRoot: boolean }): string[];
};
const { advice, missingTools, tools }: Engines = await import(
  join(process.cwd(), 'scripts/bootstrap/engines.mjs')
);

function directoryWith(...commands: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'path-'));
  for (const command of commands) {
    writeFileSync(join(directory, command), '');
    chmodSync(join(directory, command), 0o755);
  }
  return directory;
}

const ofProfile = (profile: string) => tools.filter((tool) => tool.for === profile);

describe('missing tools', () => {
  it('are the programs of the profiles that are not on the path', () => {
    const [present, ...absent] = ofProfile('run').filter(({ files = [] }) => files.length === 0);
    const path = directoryWith(present!.commands[0]!);
    const [ofRun, ofBoth] = [missingTools(['run'], { path }), missingTools(['run', 'test'], { path })];
    expect(ofRun).toEqual(expect.arrayContaining(absent));
    expect(ofRun).not.toContain(present);
    expect(ofRun.every((tool) => tool.for === 'run')).toBe(true);
    expect(ofBoth).toEqual(tools.filter((tool) => ofRun.includes(tool) || tool.for === 'test'));
  });

  it('exclude programs with another name on the path', () => {
    const tool = ofProfile('test').find(({ commands }) => commands.length > 1)!;
    const path = directoryWith(tool.commands.at(-1)!);
    expect(missingTools(['test'], { path })).toEqual(ofProfile('test').filter((other) => other !== tool));
  });
});

describe('the installation advice', () => {
  const tool: Tool = {
    for: 'run',
    commands: ['a'],
    apt: ['a', 'a-data'],
    dnf: ['a'],
    brew: ['a'],
    instead: 'no a',
  };

  it.each([
    ['apt', false, 'Install with: sudo apt-get install -y --no-install-recommends a a-data'],
    ['apt', true, 'Install with: apt-get install -y --no-install-recommends a a-data'],
    ['dnf', false, 'Install with: sudo dnf install -y a'],
    ['brew', false, 'Install with: brew install a'],
  ])('is the single command of %s (root: %s)', (packager, isRoot, command) => {
    expect(advice([tool], { packager, isRoot })).toEqual(['Missing: a (no a).', command]);
  });

  it('names the missing tools if the package manager is unknown', () => {
    expect(advice([tool], { isRoot: false })).toEqual(['Missing: a (no a).']);
  });

  it('is empty if nothing is missing', () => {
    expect(advice([], { packager: 'apt', isRoot: true })).toEqual([]);
  });
});
