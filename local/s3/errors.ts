/** The errors of Amazon S3: their codes, HTTP statuses and XML. */
import { xmlDocument } from './xml.ts';

/** Source: "Error responses" in the Amazon S3 API reference. */
const errors = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [
    403,
    "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
  ],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The authorization query parameters are malformed.'],
  BadDigest: [400, 'The Content-MD5 you specified did not match what we received.'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyOwnedByYou: [
    409,
    'Your previous request to create the named bucket succeeded and you already own it.',
  ],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IncompleteBody: [
    400,
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  ],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 you specified was invalid.'],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
  ],
  InvalidPartOrder: [
    400,
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
  ],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidTag: [400, 'The tag provided was not a valid tag.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedTrailerError: [
    400,
    'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  ],
  MalformedXML: [
    400,
    'The XML you provided was not well-formed or did not validate against our published schema',
  ],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NotImplemented: [501, 'A header or query you provided implies functionality that is not implemented'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof errors;

/** An error of S3. `details` become additional elements of its XML, such as `ActualObjectSize`. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  readonly details: Record<string, string | number>;

  constructor(code: S3ErrorCode, message?: string, details: Record<string, string | number> = {}) {
    super(message ?? errors[code][1]);
    this.code = code;
    this.status = errors[code][0];
    this.details = details;
  }
}

/** SQLite's result code for a full disk: SQLITE_FULL (sqlite.org/rescode.html). */
const sqliteFull = 13;

/** Returns the error for the client. It reports a full disk. It hides the details of other failures. */
export function shownOf(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || errcode === sqliteFull;
  const cure = 'The disk that the buckets are stored on is full. Free some space and try again.';
  return new S3Error('InternalError', isFull ? cure : undefined);
}

export function renderError(error: S3Error, resource: string, requestId: string): string {
  return xmlDocument('Error', {
    Code: error.code,
    Message: error.message,
    ...error.details,
    Resource: resource,
    RequestId: requestId,
    HostId: 'local',
  });
}
