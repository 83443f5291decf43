/** Converts the result of a Lambda to the answer for the client ("Lambda function response for format 2.0"). */
export type HttpAnswer = {
  statusCode: number;
  /** `set-cookie` may occur more than once. */
  headers: [string, string][];
  body: Buffer;
};

/** Converts the result of a function. Undefined if API Gateway would call it malformed: the client then gets a 500. */
export function toAnswer(payload: string): HttpAnswer | undefined {
  const result: unknown = JSON.parse(payload);
  if (typeof result !== 'object' || result === null || !('statusCode' in result))
    return inferred(result, payload);

  const { statusCode, headers = {}, cookies = [], body, isBase64Encoded } = result as LambdaAnswer;
  const status = Number(statusCode);
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  const isBody = body === undefined || body === null || typeof body === 'string';
  if (!isStatus || !isBody || !isRecord(headers) || !Array.isArray(cookies)) return undefined;

  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  const own = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
    .filter(([name]) => !managed.has(name));
  const hasType = own.some(([name]) => name === 'content-type');
  return {
    statusCode: status,
    headers: [
      ...own,
      ...(hasType || bytes.length === 0
        ? []
        : [['content-type', 'text/plain; charset=utf-8'] as [string, string]]),
      ...cookies.map((cookie): [string, string] => ['set-cookie', String(cookie)]),
    ],
    body: bytes,
  };
}

/** Returns an answer that API Gateway itself gives. */
export function gatewayAnswer(statusCode: number, message: string): HttpAnswer {
  return {
    statusCode,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

type LambdaAnswer = {
  statusCode: unknown;
  headers?: unknown;
  cookies?: unknown;
  body?: unknown;
  isBase64Encoded?: unknown;
};

/** Returns the answer for a result without `statusCode`: 200 and application/json. The body is the result as JSON, or a string unchanged. */
function inferred(result: unknown, payload: string): HttpAnswer {
  return {
    statusCode: 200,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(typeof result === 'string' ? result : payload),
  };
}

/** Headers that Node's server sets itself. */
const managed = new Set(['content-length', 'transfer-encoding', 'connection', 'date']);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
