/**
 * Runs the local cloud in the foreground until a signal stops it. PORT_API, PORT_SITE and KINORA_LOCAL_DIR set its
 * ports and directory. KINORA_DYNAMODB selects one of two DynamoDB engines.
 */
import { AlreadyRunning, type LocalCloud, startLocalCloud } from './cloud.ts';
import { layoutOf, localDirectory } from './layout.ts';
import { PortTaken } from './listen.ts';
import type { Product } from './product.ts';
import type { Ready } from './ready.ts';
import { untilReady } from './running.ts';

const layout = layoutOf(localDirectory());

/** Runs the local cloud. The process ends when the local cloud ends. */
export async function up(product: Product): Promise<never> {
  try {
    process.exitCode = await run(product);
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof AlreadyRunning) process.exitCode = await tellWhatRuns();
    else if (error instanceof PortTaken)
      console.error(`${error.message}; choose another: PORT_API=… PORT_SITE=… npm start`);
    else console.error(error);
  }
  // Ends the process even if a library left a handle open.
  process.exit();
}

async function run(product: Product): Promise<number> {
  const stopAsked = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopAsked.resolve());
  const cloud = await startLocalCloud({
    dir: layout.root,
    portApi: portOf('PORT_API', 8787),
    portSite: portOf('PORT_SITE', 8788),
    report: (line) => console.log(`  ${line}`),
    product,
    ...decisionOptions(process.env),
    ...(process.env.KINORA_DYNAMODB ? { dynamodbEngine: process.env.KINORA_DYNAMODB } : {}),
  });
  console.log(summary(cloud.ready, 'Ctrl-C, or npm stop'));
  return untilTheEnd(cloud, stopAsked.promise);
}

/** Returns the options for test runs: a file to record the decisions, and a statement to remove. */
function decisionOptions({
  LOCAL_CLOUD_DECISIONS: decisionsFile,
  LOCAL_CLOUD_WITHOUT: left,
}: NodeJS.ProcessEnv) {
  const [role, statement] = (left ?? '').split(' ');
  return {
    ...(decisionsFile && { decisionsFile }),
    ...(role && statement && { withoutPermission: { role, statement } }),
  };
}

async function untilTheEnd(cloud: LocalCloud, stopAsked: Promise<void>): Promise<number> {
  const fault = await Promise.race([stopAsked, cloud.broken]);
  if (fault) console.error(`\n${fault}`);
  await cloud.stop();
  console.log(fault ? 'Stopped.' : '\nStopped; all state is kept.');
  return fault ? 1 : 0;
}

/** Prints the addresses of the running local cloud. A second start is not an error if the first local cloud answers. */
async function tellWhatRuns(): Promise<number> {
  const ready = await untilReady(layout.ready, 60_000);
  if (!ready) {
    console.error(`${layout.root} is in use by a local cloud that does not answer; stop it with: npm stop`);
    return 1;
  }
  console.log(`Kinora runs already (pid ${ready.pid}).${summary(ready, 'npm stop')}`);
  return 0;
}

/** Returns the addresses, and how to stop the local cloud. Ctrl-C works only in the terminal that started it. */
function summary(ready: Ready, stop: string): string {
  return `
Kinora is ready.

  API       ${ready.api_url}/v1
  Site      ${ready.site_url}
  API key   ${ready.api_key}   (tenant demo)

  See it work        npm run demo
  More API keys      npm run keys -- create --tenant NAME
  What functions say ${layout.logs}/
  Stop               ${stop}
`;
}

function portOf(name: string, standard: number): number {
  const text = process.env[name] ?? String(standard);
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  console.error(`${name} must be a port, 0 to 65535; it is "${text}"`);
  process.exit(2);
}
