/** The options of the local S3 server: its data directory, its credentials and its buckets. */
import type { AuthorizerOptions } from '../iam/authorizer.ts';

/** A CORS rule of a bucket. `*` is a wildcard in origins and headers. */
export type CorsRule = {
  allowedOrigins: string[];
  allowedMethods: string[];
  allowedHeaders?: string[];
  exposedHeaders?: string[];
  /** The time for which a browser may store the answer to a preflight request, seconds. */
  maxAge?: number;
};

/** The properties of a synthesized AWS::S3::Bucket that the server uses. */
export type BucketSpec = {
  name: string;
  cors?: CorsRule[];
  abortIncompleteUploadsAfterDays?: number;
  /** Whether the bucket stores previous versions of objects, until a request deletes the version. */
  isVersioned?: boolean;
};

export type Credentials = { accessKeyId: string; secretAccessKey: string };

export type S3Options = {
  /** The directory of all data. It is created if it does not exist. Only one server at a time may use it. */
  dir: string;
  port: number;
  /** The address to listen on. Default: 127.0.0.1. */
  host?: string;
  region: string;
  credentials: Credentials;
  buckets: BucketSpec[];
  /** The roles and the bucket policies of the template. */
  iam?: AuthorizerOptions;
  /** Returns the time, in milliseconds since the epoch. */
  now?: () => number;
};
