/** The product as the local cloud serves it: the development environment's stacks, built from these sources. */
import { type LocalTemplate, readTemplate } from './template/index.ts';

/** Where the local cloud pretends to be; signatures and ARNs name it. */
export const region = 'us-east-1';
export const accountId = '000000000000';

const stackPrefix = 'Kinora-dev-';

/**
 * Reads `assembly`, a `cdk.out`; when absent, the product's own, built first where its sources have changed. What the
 * template asks for and nobody serves is reported.
 */
export async function readProduct(
  assembly: string | undefined,
  apiUrl: string,
  report: (line: string) => void,
): Promise<LocalTemplate> {
  const directory = assembly ?? (await build(report));
  const template = await readTemplate(directory, stackPrefix, { region, account: accountId, apiUrl });
  for (const { type, stack, logicalId } of template.unserved) {
    report(`Not served here: ${stack}.${logicalId} (${type})`);
  }
  return template;
}

/** Imported late: who brings an assembly needs neither esbuild nor the CDK. */
async function build(report: (line: string) => void): Promise<string> {
  const { ensureBuilt } = await import('../toolchain/build.ts');
  const { assemblyFolder } = await import('../toolchain/bundle/paths.ts');
  await ensureBuilt({ report: (line) => report(`Build: ${line}`) });
  return assemblyFolder;
}
