/** Functions written by hand, run as the bundles of the product are. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLambda, type Lambda, type LambdaOptions } from '../../lambda/index.ts';
import { processRecords } from '../../processes.ts';
import type { FunctionView } from '../../template/compute.ts';

export type Bench = { lambda: Lambda; directory: string; output: () => string };

/** A Lambda whose functions are these modules, by name. */
export function bench(
  sources: Record<string, string>,
  settings: Partial<FunctionView> = {},
  options: Partial<LambdaOptions> = {},
): Bench {
  const directory = mkdtempSync(join(tmpdir(), 'lambda-'));
  let output = '';
  const lambda = createLambda({
    functions: Object.entries(sources).map(([name, source]) => functionOf(directory, name, source, settings)),
    region: 'eu-west-1',
    variables: () => ({ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }),
    concurrency: () => 10,
    records: processRecords(join(directory, 'run')),
    logDirectory: join(directory, 'logs'),
    temporaryDirectory: join(directory, 'tmp'),
    onOutput: (_name, chunk) => {
      output += chunk;
    },
    ...options,
  });
  return { lambda, directory, output: () => output };
}

function functionOf(
  directory: string,
  name: string,
  source: string,
  settings: Partial<FunctionView>,
): FunctionView {
  const codePath = join(directory, 'code', name);
  mkdirSync(codePath, { recursive: true });
  writeFileSync(join(codePath, 'index.mjs'), source);
  return {
    logicalId: name,
    name,
    arn: `arn:aws:lambda:eu-west-1:000000000000:function:${name}`,
    codePath,
    handler: 'index.handler',
    timeoutSeconds: 20,
    memoryMegabytes: 256,
    environment: { STAGE: 'dev' },
    roleArn: `arn:aws:iam::000000000000:role/${name}`,
    ...settings,
  };
}
