/** Options of the local S3 server: its data directory, its credentials and its buckets. */

import type { AuthorizerOptions } from '../iam/authorizer.ts';

/** One rule of a bucket's CORS configuration; `*` is a wildcard in origins and headers. */
export type CorsRule = {
  allowedOrigins: string[];
  allowedMethods: string[];
  allowedHeaders?: string[];
  exposedHeaders?: string[];
  /** How long a browser may keep the answer to a preflight request, in seconds. */
  maxAge?: number;
};

/** The properties of a synthesized AWS::S3::Bucket that the server acts on. */
export type BucketSpec = {
  name: string;
  cors?: CorsRule[];
  abortIncompleteUploadsAfterDays?: number;
  /** Whether it keeps versions of objects that are overwritten or deleted, until a request deletes the version. */
  isVersioned?: boolean;
};

export type Credentials = { accessKeyId: string; secretAccessKey: string };

export type S3Options = {
  /** The directory of all state. It is made if absent, and only one server at a time may use it. */
  dir: string;
  /** 0 takes any free port. */
  port: number;
  /** The address to listen on. Default: 127.0.0.1. */
  host?: string;
  region: string;
  credentials: Credentials;
  buckets: BucketSpec[];
  /** The roles and bucket policies of the template. */
  iam?: AuthorizerOptions;
  /** Milliseconds since the epoch. */
  now?: () => number;
};
