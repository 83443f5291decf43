/**
 * A proxy between the Lambdas and the DynamoDB engine. Tests use it to make the engine fail, or to write at the same
 * time.
 */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from './listening.ts';

export interface Call {
  /** `TransactWriteItems` */
  readonly action: string;
  /** The JSON of the request, which names its tables. */
  readonly body: string;
}

/** Called before the engine receives a call. If it returns the name of an error, the proxy answers with that error. */
export type Meet = (call: Call) => Promise<string | undefined>;

export interface Between {
  readonly url: string;
  /** Sends calls through `meet` while the work runs. */
  during<T>(meet: Meet, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** @param engine the address of the engine that receives all calls */
export async function standBetween(engine: string): Promise<Between> {
  let meeting: Meet | undefined;
  const { server, url, close } = await listening(async (request, response) => {
    const bytes = await buffer(request);
    const action = String(request.headers['x-amz-target']).split('.')[1]!;
    const failure = await meeting?.({ action, body: bytes.toString('utf8') });
    if (failure === undefined) passOn(engine, request, bytes, response);
    else refuse(failure, response);
  });
  // Longer than any test. If the server closed an idle connection, the SDK's next call would fail.
  server.keepAliveTimeout = 600_000;
  return {
    url,
    close,
    async during(meet, work) {
      meeting = meet;
      try {
        return await work();
      } finally {
        meeting = undefined;
      }
    },
  };
}

function passOn(engine: string, request: IncomingMessage, bytes: Buffer, response: ServerResponse): void {
  const { method, url, headers } = request;
  const onward = httpRequest(new URL(url!, engine), { method: method!, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  onward.end(bytes);
}

function refuse(name: string, response: ServerResponse): void {
  response.writeHead(name.startsWith('Internal') ? 500 : 400, {
    'content-type': 'application/x-amz-json-1.0',
  });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }));
}
