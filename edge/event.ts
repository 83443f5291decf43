/**
 * The parts of CloudFront's event that these functions read (developer guide, "CloudFront Functions event structure").
 * Header names are in lower case.
 */
export interface Value {
  value: string;
  /** All values of a name that occurs more than once, including the first value. */
  multiValue?: { value: string }[];
}

export interface Request {
  readonly method: string;
  /** Path as the viewer sent it: not decoded, without the query. */
  uri: string;
  querystring: { [name: string]: Value };
  headers: { [name: string]: Value };
  cookies: { [name: string]: Value };
  /**
   * Returns the query as the viewer sent it; undefined without `?`. Events of `aws cloudfront test-function` lack this
   * method.
   */
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
