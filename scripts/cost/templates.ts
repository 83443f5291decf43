/** The templates of one environment, as the CDK writes them, in a folder that no other run has. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../toolchain/bundle/paths.ts';
import type { Template } from '../../toolchain/costs/idle.ts';
import { pinnedCdk, runCdk } from '../deployment/cdk.ts';
import type { Target } from '../deployment/target.ts';

/** @throws Failure with the last that the CDK said; its log is then kept */
export async function templatesOf(
  { name, region }: Target,
  program = pinnedCdk,
  parent = buildFolder,
): Promise<Template[]> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'cost-'));
  const assembly = join(folder, 'assembly');
  const synth = ['synth', '--quiet', '--output', assembly, '--context', `env=${name}`];
  await runCdk({ program, region, log: join(folder, 'cdk.log') }, synth);
  const files = (await readdir(assembly)).filter((file) => file.endsWith('.template.json'));
  const templates = files.map(
    async (file) => JSON.parse(await readFile(join(assembly, file), 'utf8')) as Template,
  );
  const all = await Promise.all(templates);
  await rm(folder, { recursive: true });
  return all;
}
