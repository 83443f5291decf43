/** Starts all parts of the local cloud in order, and connects them as the synthesized template requires. */
import { rmSync } from 'node:fs';
import { startEdge } from './edge/index.ts';
import { startEvents } from './events.ts';
import { startGateway } from './gateway/index.ts';
import type { Host } from './host.ts';
import { createAuthorizer } from './iam/authorizer.ts';
import type { Lambda } from './lambda/index.ts';
import { type Layout, layoutOf, prepare } from './layout.ts';
import { takeLock } from './lock.ts';
import { holdPort, holdPorts } from './ports.ts';
import { processRecords } from './processes.ts';
import { accountId, type Product, readProduct, region } from './product.ts';
import { type Ready, writeOwner, writeReady } from './ready.ts';
import { startSchedules } from './schedules.ts';
import { readCredentials } from './state.ts';
import { startStepFunctions } from './stepfunctions/server.ts';
import { startStorage } from './storage.ts';
import { startSts } from './sts/server.ts';
import { withoutStatement } from './template/iam.ts';
import type { LocalTemplate } from './template/index.ts';
import { invokeForStates, lambdaOf } from './wiring.ts';

export type LocalCloudOptions = {
  /** The directory of all data that is kept between runs. */
  dir: string;
  /** The port of the API. 0 chooses any free port. */
  portApi: number;
  portSite: number;
  /** The app that the local cloud serves, with the functions that build it. */
  product: Product;
  /** `dynoxide` or `dynamodb-local`. Default: the best one available. */
  dynamodbEngine?: string;
  /** The file in which allowed requests are recorded, with the statements that allowed them. */
  decisionsFile?: string;
  /** Removes one statement of one role, to test whether the statement is needed. */
  withoutPermission?: { role: string; statement: string };
  /** Called with a line of text for each part that has started. */
  report?: (line: string) => void;
};

export type LocalCloud = {
  ready: Ready;
  lambda: Lambda;
  template: LocalTemplate;
  /** Resolves when a part ends by itself, with a message for people. The other parts are then useless. */
  broken: Promise<string>;
  stop(): Promise<void>;
};

/** Thrown if another process serves this directory, or is starting to serve it. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** Starts all parts. Resolves when all parts answer. Rejects with `AlreadyRunning`, or with the error of a part that does not start. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const layout = layoutOf(options.dir);
  prepare(layout);
  const lock = takeLock(layout.lock);
  if (!lock) throw new AlreadyRunning(`${layout.root} is in use by another local cloud`);

  const started = new AsyncDisposableStack();
  started.defer(() => lock.release());
  writeOwner(layout.owner);
  started.defer(() => rmSync(layout.owner, { force: true }));
  try {
    const cloud = await startParts(options, layout, started);
    return { ...cloud, stop: () => started.disposeAsync() };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function startParts(
  options: LocalCloudOptions,
  layout: Layout,
  started: AsyncDisposableStack,
): Promise<Omit<LocalCloud, 'stop'>> {
  const report = stopwatch(options.report);
  rmSync(layout.ready, { force: true });
  const records = processRecords(layout.processes);
  for (const ended of records.endStale()) report(`Ended ${ended}, left over from a run that was killed`);
  const credentials = readCredentials(layout.credentials);
  const host: Host = { layout, records, credentials, started, report };

  const ports = await portsFor(options, host);
  const { api, site } = ports;
  const { product } = options;
  const assembly = await product.assembly(report);
  const template = await readProduct({ assembly, stackPrefix: product.stackPrefix, apiUrl: api.url }, report);
  const { withoutPermission, decisionsFile } = options;
  const iam = {
    ...(withoutPermission ? withoutStatement(template.iam, withoutPermission) : template.iam),
    ...(decisionsFile && { decisionsFile }),
  };
  const authorizer = createAuthorizer(iam);
  const storage = await startStorage(host, ports, template, { ...options, iam }, authorizer);

  const sts = await startSts({
    port: ports.sts,
    region,
    accountId,
    credentials,
    roles: layout.roles,
    authorizer,
  });
  started.defer(() => sts.close());

  // The site is built at its first request, because building takes seconds and the site may never be requested.
  const siteDir = () => product.site(layout.site, { baseUrl: site.url, apiUrl: api.url });
  const web = await startEdge({ siteDir, port: site });
  started.defer(() => web.close());
  report(`Site: ${web.url}`);
  const lambda = lambdaOf({ ...host, product }, template, {
    ...{ dynamodb: storage.dynamodb.url, s3: storage.s3.url, stepfunctions: ports.stepfunctions.url },
    ...{ sts: sts.url, api: api.url, site: web.url },
  });
  started.defer(() => lambda.close());

  const functionArns = template.functions.map(({ arn }) => arn);
  const events = startEvents({
    rules: template.eventRules,
    ...{ functionArns, region, accountId, report },
    invoke: (arn, payload) => lambda.invoke(arn, payload),
  });

  const stepfunctions = await startStepFunctions({
    dir: layout.stepfunctions,
    port: ports.stepfunctions,
    region,
    credentials,
    authorizer,
    stateMachines: template.stateMachines.map((machine) => ({
      ...machine,
      definition: JSON.parse(machine.definition) as unknown,
    })),
    invoke: invokeForStates(lambda),
    onEnd: events.executionEnded,
  });
  started.defer(() => stepfunctions.close());
  report(`Step Functions: ${template.stateMachines.length} state machines on ${stepfunctions.url}`);

  const invoke = (name: string, payload: string) => lambda.invoke(name, payload);
  const gateway = await startGateway({ port: api, api: template.api, accountId, invoke });
  started.defer(() => gateway.close());
  report(
    `API: ${template.api.routes.length} routes, ${template.functions.length} functions on ${gateway.url}`,
  );

  const schedules = startSchedules({
    schedules: template.schedules,
    functionArns,
    region,
    accountId,
    invoke: (arn, payload, signal) => lambda.invoke(arn, payload, { signal }),
    authorizer,
    report,
  });
  started.defer(() => schedules.close());

  started.defer(() => rmSync(layout.ready, { force: true }));
  const ready = writeReady(layout.ready, {
    site_url: web.url,
    api_url: gateway.url,
    api_key: storage.apiKey,
    s3_url: storage.s3.url,
    dynamodb_url: storage.dynamodb.url,
    stepfunctions_url: stepfunctions.url,
    sts_url: sts.url,
    region,
    access_key_id: credentials.accessKeyId,
    secret_access_key: credentials.secretAccessKey,
    auth_table: storage.authTable,
  });
  return { ready, lambda, template, broken: storage.broken };
}

/** Holds all ports while the app is built, so that no other program can use them. Throws PortTaken if another program uses a given port. */
async function portsFor({ portApi, portSite }: LocalCloudOptions, { layout, started, report }: Host) {
  const api = await holdPort(portApi);
  started.defer(() => api.letGo());
  const site = await holdPort(portSite);
  started.defer(() => site.letGo());
  const inner = await holdPorts(layout.ports, ['dynamodb', 's3', 'stepfunctions', 'sts'], report);
  for (const port of Object.values(inner)) started.defer(() => port.letGo());
  return { api, site, ...inner };
}

/** Adds to each line the time that has passed since the previous line. */
function stopwatch(report: (line: string) => void = () => {}): (line: string) => void {
  let last = performance.now();
  return (line) => {
    const now = performance.now();
    report(`${line} (${((now - last) / 1000).toFixed(1)} s)`);
    last = now;
  };
}
