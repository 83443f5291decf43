/**
 * CloudFront's event, as far as these functions read it (developer guide, "CloudFront Functions event structure").
 * Names of headers are lower case.
 */

export interface Value {
  value: string;
  /** Every value, the first included, where a name came more than once. */
  multiValue?: { value: string }[];
}

export interface Request {
  readonly method: string;
  /** Path as the viewer sent it: not decoded, without the query. */
  uri: string;
  querystring: { [name: string]: Value };
  headers: { [name: string]: Value };
  cookies: { [name: string]: Value };
  /** The query as it was sent; undefined without `?`. Absent from the events of `aws cloudfront test-function`. */
  rawQueryString?(): string | undefined;
}

export interface Response {
  statusCode: number;
  statusDescription?: string;
  headers: { [name: string]: Value };
  body?: string;
}

export interface RequestEvent {
  readonly request: Request;
}

export interface ResponseEvent {
  readonly request: Request;
  readonly response: Response;
}
