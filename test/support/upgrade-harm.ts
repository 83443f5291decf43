/** The harm that an upgrade does to resources, as `cdk diff` reports it from AWS's own specification of resources. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../toolchain/bundle/paths.ts';
import type { Resources } from '../../toolchain/release.ts';

export interface Harm {
  /** `<stack>/<logical id>` */
  readonly id: string;
  readonly type: string;
  /** The word of `cdk diff`: `replace`, `destroy`, … */
  readonly impact: string;
  readonly properties: readonly string[];
}

/** Resources that an upgrade would replace, may replace, destroy or leave without an owner. */
export async function harmOf(before: Resources, now: Resources): Promise<Harm[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'));
  try {
    const old = join(folder, 'before.json');
    writeFileSync(old, JSON.stringify({ Resources: before }));
    writeFileSync(join(folder, 'now.json'), JSON.stringify({ Resources: now }));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(assembly));
    const { stdout } = await promisify(execFile)(
      join(root, 'node_modules', '.bin', 'cdk'),
      [
        ...['diff', '--app', folder, 'Kinora', '--template', old],
        ...['--no-notices', '--no-version-reporting', '--ci'],
      ],
      {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', CDK_DISABLE_CLI_TELEMETRY: 'true' },
        maxBuffer: 64 * 1024 ** 2,
      },
    );
    return harmIn(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One stack with all resources: their ids name the stacks. */
const assembly = {
  version: '36.0.0',
  artifacts: {
    Kinora: {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: 'now.json' },
    },
  },
};

// The output of @aws-cdk/cloudformation-diff, lib/format.ts.
const RESOURCE = /^\[[-+~]\] (AWS::\S+) (\S+)(?: (.+))?$/;
const REASON = /^[ │]*[├└]─ \[[-+~]\] (\S+) \((?:requires|may cause) replacement\)/;

function harmIn(diff: string): Harm[] {
  const resources: (Harm & { properties: string[] })[] = [];
  if (!/^Stack Kinora/m.test(diff)) throw new Error(`Unknown output of cdk diff: ${diff}`);
  for (const line of diff.split('\n')) {
    const [, type, id, impact = ''] = RESOURCE.exec(line) ?? [];
    if (type && id) resources.push({ id, type, impact, properties: [] });
    const [, reason] = REASON.exec(line) ?? [];
    if (reason) resources.at(-1)?.properties.push(reason);
  }
  return resources.filter(({ impact }) => impact !== '');
}
