/** The requests and answers between the parts of the emulator. Names of headers are in lower case. */
export type Headers = Record<string, string[]>;

export interface ViewerRequest {
  readonly method: string;
  /** The path as the client sent it: not decoded, and without the query. */
  readonly uri: string;
  /** The query without the `?`. Undefined if the URL contains no `?`. */
  readonly query: string | undefined;
  readonly headers: Headers;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Returns all values of a header, joined into one list (RFC 9110 §5.3). */
export const fieldOf = (headers: Headers, name: string): string | undefined => headers[name]?.join(', ');

/** Returns empty headers. They have no prototype, so that a header may have any name. */
export const noHeaders = (): Headers => Object.create(null) as Headers;

export function headersOf(entries: Readonly<Record<string, string | undefined>>): Headers {
  const headers = noHeaders();
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) headers[name] = [value];
  return headers;
}
