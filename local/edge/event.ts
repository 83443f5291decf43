/** The event of a CloudFront function (developer guide, "CloudFront Functions event structure"), and conversions from and to it. */
import { type Answer, type Headers, noHeaders, type ViewerRequest } from './message.ts';

export interface EventValue {
  value: string;
  multiValue?: { value: string }[];
}
type Values = Record<string, EventValue>;

export interface EventRequest {
  method: string;
  uri: string;
  querystring: Values;
  headers: Values;
  cookies: Values;
}

export interface EventResponse {
  statusCode: number;
  statusDescription?: string;
  headers?: Values;
  cookies?: Record<string, EventValue & { attributes?: string }>;
  body?: string | { encoding: 'text' | 'base64'; data: string };
}

/** Converts a request to the form of the event. Cookies are in `cookies`, not in `headers`. Nothing is decoded. */
export function eventRequest({ method, uri, query, headers }: ViewerRequest): EventRequest {
  const { cookie = [], ...others } = headers;
  return {
    method,
    uri,
    querystring: grouped((query ?? '').split('&').filter(Boolean).map(pairOf)),
    headers: eventHeaders(others),
    cookies: grouped(
      cookie
        .flatMap((line) => line.split(/; */))
        .filter(Boolean)
        .map(pairOf),
    ),
  };
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export const eventHeaders = (headers: Headers): Values =>
  grouped(
    Object.entries(headers).flatMap(([name, lines]) => lines.map((line): [string, string] => [name, line])),
  );

function grouped(pairs: readonly [string, string][]): Values {
  const values = Object.create(null) as Values;
  for (const [name, lines] of Map.groupBy(pairs, ([name]) => name)) {
    const all = lines.map(([, value]) => ({ value }));
    values[name] = all.length > 1 ? { ...all[0]!, multiValue: all } : all[0]!;
  }
  return values;
}

/** Converts headers from the form of the event to our form. */
export function headersFrom(values: Values = {}): Headers {
  const headers = noHeaders();
  for (const [name, { value, multiValue }] of Object.entries(values)) {
    headers[name] = multiValue?.map((line) => line.value) ?? [value];
  }
  return headers;
}

export function answerFrom({ statusCode, headers, body }: EventResponse): Answer {
  const { data, encoding } =
    typeof body === 'object' ? body : { data: body ?? '', encoding: 'text' as const };
  return {
    status: statusCode,
    headers: headersFrom(headers),
    body: Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8'),
  };
}
