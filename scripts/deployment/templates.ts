/** The templates of one environment, as the CDK writes them, in a folder that no other run has. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../toolchain/bundle/paths.ts';
import type { Template } from '../../toolchain/costs/idle.ts';
import { pinnedCdk, runCdk } from './run-cdk.ts';
import type { Target } from './targets.ts';

const ENDING = '.template.json';

export const templatesOf = async (...asked: Parameters<typeof templatesByStack>): Promise<Template[]> =>
  Object.values(await templatesByStack(...asked));

/**
 * By what follows `Kinora-<environment>-` in the stack's name.
 * @throws Failure with the last that the CDK said; its log is then kept
 */
export async function templatesByStack(
  { name, region }: Target,
  program = pinnedCdk,
  parent = buildFolder,
): Promise<Record<string, Template>> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'cost-'));
  const assembly = join(folder, 'assembly');
  const synth = ['synth', '--quiet', '--output', assembly, '--context', `env=${name}`];
  await runCdk({ program, region, environment: name, log: join(folder, 'cdk.log') }, synth);
  const files = (await readdir(assembly)).filter((file) => file.endsWith(ENDING));
  const templates = files.map(async (file) => {
    const stack = file.slice(`Kinora-${name}-`.length, -ENDING.length);
    return [stack, JSON.parse(await readFile(join(assembly, file), 'utf8')) as Template] as const;
  });
  const all = Object.fromEntries(await Promise.all(templates));
  await rm(folder, { recursive: true });
  return all;
}
