/**
 * `npm run invoke -- <Function> [event.json]`: runs the function's bundle with an event, by default its sample in `build/events`, like `sam local invoke` but without
 * Docker. Starts the local cloud if necessary, and uses its tables, media and state machines. Prints the result to standard
 * output, and the function's own output to standard error.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutOf, localDirectory } from '../local/layout.ts';
import { processRecords } from '../local/processes.ts';
import { readProduct } from '../local/product.ts';
import type { Ready } from '../local/ready.ts';
import { ensureRunning } from '../local/running.ts';
import { readCredentials } from '../local/state.ts';
import { lambdaOf } from '../local/wiring.ts';
import { sampleEventsFolder } from '../toolchain/bundle/paths.ts';
import { productOf, startCommand } from '../toolchain/product.ts';

const [name, eventFile] = process.argv.slice(2);
if (!name) fail('Usage: npm run invoke -- <Function> [event.json]');
const ready = await ensureRunning(startCommand);
const product = productOf(process.env.KINORA_ASSEMBLY);
const template = await readProduct(
  {
    assembly: await product.assembly(console.error),
    stackPrefix: product.stackPrefix,
    apiUrl: ready.api_url,
  },
  console.error,
);
const names = template.functions.map(({ logicalId }) => logicalId);
if (!names.includes(name)) fail(`Unknown function ${name}. Known functions: ${names.sort().join(', ')}`);
const event = readEvent(eventFile ?? join(sampleEventsFolder, `${name}.json`));
process.exitCode = await invoke(name, JSON.stringify(withLocalKey(event)));

async function invoke(functionName: string, payload: string): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'kinora-invoke-'));
  const layout = layoutOf(localDirectory());
  const lambda = lambdaOf(
    {
      layout: { ...layout, logs: join(scratch, 'logs'), temporary: join(scratch, 'tmp') },
      records: processRecords(join(scratch, 'processes')),
      credentials: readCredentials(layout.credentials),
      product,
      onOutput: (_functionName, chunk) => process.stderr.write(chunk),
    },
    template,
    endpointsOf(ready),
  );
  const outcome = await lambda.invoke(functionName, payload);
  await lambda.close();
  rmSync(scratch, { recursive: true, force: true });
  console.log(JSON.stringify('error' in outcome ? outcome.error : JSON.parse(outcome.payload), null, 2));
  return 'error' in outcome ? 1 : 0;
}

function endpointsOf(running: Ready) {
  return {
    dynamodb: running.dynamodb_url,
    s3: running.s3_url,
    stepfunctions: running.stepfunctions_url,
    sts: running.sts_url,
    api: running.api_url,
    site: running.site_url,
  };
}

type Event = { headers?: Record<string, string>; requestContext?: { requestId?: string } };

function withLocalKey(sample: Event): Event {
  const isSample = sample.requestContext?.requestId === 'sample-request';
  if (!isSample) return sample;
  return { ...sample, headers: { ...sample.headers, authorization: `Bearer ${ready.api_key}` } };
}

function readEvent(path: string): Event {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Event;
  } catch (error) {
    return fail(`${path} is not an event: ${(error as Error).message}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
