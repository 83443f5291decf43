/** Synthesizes the templates of one environment into a temporary folder. */
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
 * Templates by the part of the stack's name after `Kinora-<environment>-`.
 * @throws Failure with the last lines of the CDK's output; keeps its log
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
