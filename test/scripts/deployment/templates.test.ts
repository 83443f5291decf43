import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf } from '../../../lib/environments.ts';
import { templatesByStack } from '../../../scripts/deployment/run-cdk.ts';
import { targetOf } from '../../../scripts/deployment/targets.ts';

/** Replaces the CDK's command line: writes one template, named after the environment, and prints the CDK's output. */
const cdk = `#!/bin/sh
for last; do case $last in env=*) name=\${last#env=} ;; esac; done
[ $name = broken ] && { echo 'Error: No such thing\n    at file.ts:1:1' >&2; exit 1; }
mkdir -p "$4" && echo '{"Resources":{"Of":{"Type":"'$name'"}}}' > "$4/Kinora-$name-Data.template.json"
echo 'Supply a stack id (Kinora-dev-Data) to display its template.' >&2
`;

it('the count of templates includes only the given environment, and its files are removed afterwards', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kinora-cost-'));
  const program = join(home, 'cdk');
  writeFileSync(program, cdk);
  chmodSync(program, 0o755);
  const parent = join(home, 'build');
  const templates = (name: string) =>
    templatesByStack(targetOf({ ...environmentOf('dev', { region: 'us-east-1' }), name }), program, parent);
  for (const name of ['prod', 'dev'])
    expect(await templates(name)).toEqual({ Data: { Resources: { Of: { Type: name } } } });
  expect(readdirSync(parent)).toEqual([]);
  await expect(templates('broken')).rejects.toMatchObject({
    says: 'cdk synth failed:\nError: No such thing',
    cure: expect.stringContaining(join(parent, 'cost-')),
  });
});
