/**
 * Simulates AWS services for their clients. The tests use real SDK clients, and answer their requests in the format of
 * each service, so that the SDK creates the same errors as in production. For a silent service, the request goes to a
 * local socket that never answers. No request reaches AWS, so these tests do not prove that AWS still behaves as
 * documented.
 */
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { patience } from '../../../shared/aws-services.ts';
import { root } from '../../../toolchain/bundle/paths.ts';

/** An answer: an error by name, members or bytes of a success, or a lost connection. */
export type Answer =
  | { readonly error: string; readonly status?: number; readonly more?: object }
  | { readonly answer: object | string | Uint8Array; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lost: Error }
  | { readonly silent: true };

export interface Asked {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The format of errors: JSON, the XML of S3, or the XML of the query protocol. */
export type Form = 'json' | 'rest-json' | 's3' | 'query';

type Schema = readonly [
  kind: number,
  namespace: string,
  name: string,
  traits: { readonly httpError?: number } | number,
  names: readonly string[] | (() => Schema),
  types: unknown,
  required?: number,
];

/** The module of an SDK client, which also exports its schemas. */
export type Sdk = Readonly<Record<string, unknown>>;

const schemaOf = (sdk: Sdk, name: string): Schema | undefined => sdk[`${name}$`] as Schema | undefined;

/** The model of S3 contains no statuses, so these are from its "List of error codes". */
const notThere = ['NoSuchBucket', 'NoSuchKey', 'NoSuchUpload', 'NotFound'];

/** The status of an error in the model of the service. The default is 400, the status of most unlisted errors. */
const statusOf = (sdk: Sdk, form: Form, error: string): number => {
  const traits = schemaOf(sdk, error)?.[3];
  if (form === 's3' && notThere.includes(error)) return 404;
  return (typeof traits === 'object' && traits.httpError) || 400;
};

/** Members that are required in a request by the model of the service, in addition to body and URL. */
export function requiredOf(sdk: Sdk, operation: string): readonly string[] {
  const input = (schemaOf(sdk, operation)![4] as () => Schema)();
  return (input[4] as readonly string[]).slice(0, input[6] ?? 0);
}

/** The files that may send calls. */
export const sources = () => globSync('{engines,platform,lambdas}/**/*.ts', { cwd: root });

const find = createRequire(import.meta.url);

/** The errors that the API reference lists for an operation. The SDK package contains the same list. */
export function documentedErrors(service: string, operation: string): string[] {
  const package_ = dirname(find.resolve(`@aws-sdk/client-${service}/package.json`));
  const text = readFileSync(join(package_, 'dist-types', 'commands', `${operation}Command.d.ts`), 'utf8');
  const named = [...text.matchAll(/@throws \{@link (\w+)\} \((?:client|server) fault\)/g)];
  return [...new Set(named.map(([, name]) => name!))];
}

interface Client {
  readonly middlewareStack: { add(middleware: unknown, options: object): void };
}

/** Connections that received no answer. */
let ignored = 0;
export const ignoredConnections = (): number => ignored;

/** Accepts connections, reads their data, and never answers. */
const silence = createServer((socket) => {
  ignored += 1;
  socket.on('error', () => {}).resume();
}).unref();
await once(silence.listen(0, '127.0.0.1'), 'listening');

/** The time limit of clients in these tests, ms. */
const ANSWER_MS = 50;

/** The SDK makes only one attempt in these tests, so that errors appear immediately. */
const config = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
  endpoint: `http://127.0.0.1:${(silence.address() as AddressInfo).port}`,
  forcePathStyle: true,
  maxAttempts: 1,
};

type Settings = typeof config & {
  readonly requestHandler: ReturnType<typeof patience>;
  readonly requestChecksumCalculation: 'WHEN_REQUIRED';
};

/** The members of the command. */
interface Sent {
  readonly input: Asked['input'];
}

interface Line {
  readonly client: Client;
  answering: (asked: Asked) => Answer;
  asked: Asked[];
}

/** Clients are slow to create and keep no state between requests. */
const lines = new Map<object, Line>();

/**
 * Runs code with the client of a service, and returns its result and the requests in order. A client from an earlier
 * test gets no more answers.
 */
export const driving =
  <C extends Client>(
    Made: new (settings: Settings) => C,
    { form, sdk }: { readonly form: Form; readonly sdk: Sdk },
  ) =>
  (work: (client: C) => Promise<unknown>) =>
  async (answering: (asked: Asked) => Answer) => {
    const line =
      lines.get(Made) ??
      connected(
        new Made({
          ...config,
          requestHandler: patience(ANSWER_MS),
          requestChecksumCalculation: 'WHEN_REQUIRED',
        }),
        form,
        sdk,
      );
    lines.set(Made, line);
    line.answering = answering;
    line.asked = [];
    return { given: await work(line.client as C), asked: line.asked };
  };

function connected(client: Client, form: Form, sdk: Sdk): Line {
  const line: Line = { client, asked: [], answering: () => lost['a reset connection'] };
  const respond = (next: (sent: Sent) => Promise<object>, { commandName }: { commandName: string }) => {
    return async (sent: Sent) => {
      const one = { operation: commandName.replace(/Command$/, ''), input: sent.input };
      line.asked.push(one);
      const given = line.answering(one);
      if ('lost' in given) throw given.lost;
      if ('silent' in given) return next(sent);
      const response = written(given, form, sdk);
      // An answer to HEAD has no body, so its status is its only information.
      return {
        response: one.operation.startsWith('Head') ? { ...response, body: Readable.from([]) } : response,
      };
    };
  };
  client.middlewareStack.add(respond, { step: 'deserialize', priority: 'low' });
  return line;
}

function written(given: Exclude<Answer, { lost: Error } | { silent: true }>, form: Form, sdk: Sdk) {
  if ('answer' in given) {
    const { answer, headers = {} } = given;
    const isBare = typeof answer === 'string' || answer instanceof Uint8Array;
    return responseOf(200, headers, isBare ? answer : JSON.stringify(answer));
  }
  const { error, status = statusOf(sdk, form, error), more = {} } = given;
  const message = `${error} says why`;
  if (form === 's3')
    return responseOf(
      status,
      {},
      `<?xml version="1.0"?><Error><Code>${error}</Code><Message>${message}</Message></Error>`,
    );
  if (form === 'query') {
    const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${error}</Code><Message>${message}</Message></Error></ErrorResponse>`;
    return responseOf(status, {}, body);
  }
  if (form === 'rest-json')
    return responseOf(status, { 'x-amzn-errortype': error }, JSON.stringify({ message, ...more }));
  return responseOf(status, {}, JSON.stringify({ __type: error, message, ...more }));
}

/** A response with the members that the SDK requires of its own responses. */
const responseOf = (statusCode: number, headers: Record<string, string>, body: string | Uint8Array) => ({
  statusCode,
  headers,
  body: Readable.from([Buffer.from(body)]),
});

const network = (code: string): Answer => ({
  lost: Object.assign(new Error('The connection was lost'), { code }),
});

/** Lost connections, with the errors of the SDK (shared/aws-services.ts; test/engines/aws/patience.test.ts). */
export const lost = {
  'a reset connection': network('ECONNRESET'),
  'an answer that does not come in time': { silent: true },
  'a refused connection': network('ECONNREFUSED'),
  'a region without the service': network('ENOTFOUND'),
} as const satisfies Record<string, Answer>;
