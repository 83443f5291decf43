import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Tool = {
  for: string;
  commands: string[];
  apt: string[];
  dnf?: string[];
  brew?: string[];
  instead?: string;
};
type Engines = {
  missingTools(profiles: string[], host: { path: string }): Tool[];
  advice(missing: Tool[], host: { packager?: string; isRoot: boolean }): string[];
};
const { advice, missingTools }: Engines = await import(join(process.cwd(), 'scripts/bootstrap/engines.mjs'));

function directoryWith(...commands: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'path-'));
  for (const command of commands) {
    writeFileSync(join(directory, command), '');
    chmodSync(join(directory, command), 0o755);
  }
  return directory;
}

const names = (tools: Tool[]) => tools.map(({ commands }) => commands[0]);

describe('missing tools', () => {
  it('are the programs of the profiles that are not on the path', () => {
    const path = directoryWith('ffmpeg');
    const [ofRun, ofBoth] = [missingTools(['run'], { path }), missingTools(['run', 'test'], { path })];
    expect(names(ofRun)).not.toContain('ffmpeg');
    expect(names(ofRun)).toContain('apertium');
    expect(names(ofRun)).not.toContain('chromium');
    expect(names(ofBoth)).toEqual(expect.arrayContaining([...names(ofRun), 'chromium']));
  });

  it('exclude programs with another name on the path', () => {
    const path = directoryWith('google-chrome');
    expect(names(missingTools(['test'], { path }))).not.toContain('chromium');
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
