/** Connects the functions to the other parts, and Step Functions to the functions. */
import { availableParallelism } from 'node:os';
import type { Host } from './host.ts';
import { issueSession } from './iam/principals.ts';
import { createLambda, type Lambda, requestIdFrom } from './lambda/index.ts';
import { MAX_AGE_MS } from './lambda/pool.ts';
import { chosenSettings, type Layout } from './layout.ts';
import { type Product, region } from './product.ts';
import type { Invoke } from './stepfunctions/server.ts';
import type { FunctionView } from './template/compute.ts';
import type { LocalTemplate } from './template/index.ts';

export type Endpoints = {
  dynamodb: string;
  s3: string;
  sts: string;
  stepfunctions: string;
  api: string;
  site: string;
};

export type LambdaHost = Pick<Host, 'records' | 'credentials'> & {
  layout: Pick<Layout, 'logs' | 'temporary' | 'compileCache' | 'models'>;
  product: Pick<Product, 'turnOf' | 'variables'>;
  onOutput?: (functionName: string, chunk: Buffer) => void;
};

/**
 * The maximum number of processes of a function that answers requests: two for each core, because a process waits for the tables half
 * of the time. More processes would be slower: each compiles its code, and a burst of requests would start all of them.
 */
const API_CONCURRENCY = 2 * availableParallelism();

/**
 * The lifetime of a function's credentials, ms: the maximum age of its environment, plus more than the maximum lifetime of a
 * presigned URL (a week, SigV4).
 */
const SESSION_MS = MAX_AGE_MS + 8 * 24 * 3_600_000;

/** Starts the functions of the template with variables for the local endpoints and engines. */
export function lambdaOf(
  { layout, records, credentials, product: { turnOf, variables }, onOutput }: LambdaHost,
  template: LocalTemplate,
  endpoints: Endpoints,
): Lambda {
  const answersRequests = new Set(template.api.routes.map(({ functionName }) => functionName));
  const local = {
    ...variables({
      metadata: template.metadata,
      settingsFile: chosenSettings(layout),
      secretKey: credentials.secretKey,
    }),
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SFN: endpoints.stepfunctions,
    AWS_ENDPOINT_URL_STS: endpoints.sts,
  };
  const origins = { SITE_URL: endpoints.site, API_URL: endpoints.api };
  const replaced = (fn: FunctionView) => Object.entries(origins).filter(([name]) => name in fn.environment);
  return createLambda({
    functions: template.functions,
    region,
    variables: (fn) => ({
      ...local,
      ...credentialsOf(fn, credentials),
      ...Object.fromEntries(replaced(fn)),
    }),
    // Steps process media. If more steps than cores ran at once, each step would be slower.
    concurrency: (fn) => (answersRequests.has(fn.name) ? API_CONCURRENCY : availableParallelism()),
    turnOf,
    isBackground: (fn) => !answersRequests.has(fn.name),
    records,
    logDirectory: layout.logs,
    temporaryDirectory: layout.temporary,
    compileCache: layout.compileCache,
    ...(onOutput ? { onOutput } : {}),
  });
}

/** Returns credentials for the role of the function. Lambda Developer Guide, "Defined runtime environment variables". */
function credentialsOf({ name, roleArn }: FunctionView, { secretAccessKey }: Host['credentials']) {
  const session = issueSession(secretAccessKey, {
    roleArn,
    sessionName: name,
    expires: Date.now() + SESSION_MS,
  });
  return {
    AWS_ACCESS_KEY_ID: session.accessKeyId,
    AWS_SECRET_ACCESS_KEY: session.secretAccessKey,
    AWS_SESSION_TOKEN: session.token,
  };
}

/** Returns the function that invokes steps. A repeated attempt has the same request id, and the idempotency key is in its client context. */
export function invokeForStates(lambda: Lambda): Invoke {
  return async (functionArn, payload, { idempotencyKey, signal, beginsWith }) => {
    const place = Promise.withResolvers<void>();
    beginsWith?.(place.promise);
    const outcome = await lambda.invoke(functionArn, JSON.stringify(payload), {
      requestId: requestIdFrom(idempotencyKey),
      clientContext: { custom: { idempotency_key: idempotencyKey } },
      signal,
      onPlace: place.resolve,
    });
    if ('error' in outcome) return { functionError: outcome.error };
    return { payload: JSON.parse(outcome.payload) as unknown };
  };
}
