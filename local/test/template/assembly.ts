/** Writes a cloud assembly by hand, shaped as `cdk synth` shapes it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resource, Template } from '../../template/assembly.ts';

export const here = { region: 'eu-west-1', account: '123456789012', apiUrl: 'http://127.0.0.1:8787' };

export const resource = (Type: string, Properties: NonNullable<Resource['Properties']>): Resource => ({
  Type,
  Properties,
});

export function writeAssembly(templates: Record<string, Template>): string {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  const artifacts: Record<string, unknown> = {
    Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
  };
  for (const [name, template] of Object.entries(templates)) {
    const templateFile = `${name}.template.json`;
    writeFileSync(join(directory, templateFile), JSON.stringify(template));
    artifacts[name] = { type: 'aws:cloudformation:stack', properties: { templateFile } };
  }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ version: '48.0.0', artifacts }));
  return directory;
}
