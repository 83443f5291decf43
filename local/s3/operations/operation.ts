/** The interface of operations. An operation turns an authenticated request into an answer. */
import type { Payload } from '../auth/authenticate.ts';
import type { Permit } from '../auth/permit.ts';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/bucket.ts';
import type { Store } from '../store/store.ts';
import { S3_NAMESPACE, type XmlContent, xmlDocument } from '../xml.ts';

export type OperationContext = {
  request: S3Request;
  payload: Payload;
  permit: Permit;
  store: Store;
  region: string;
  now: () => number;
};

export type S3Response = {
  status: number;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Buffer>;
};

export type Operation = (context: OperationContext) => Promise<S3Response>;

export function xmlResponse(
  root: string,
  content: XmlContent,
  headers: Record<string, string> = {},
): S3Response {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml', ...headers },
    body: xmlDocument(root, content, S3_NAMESPACE),
  };
}

export function bucketOf({ request, store }: OperationContext): Bucket {
  return store.bucket(request.bucket!);
}

/** Returns a parameter. Throws InvalidArgument unless it is an integer from `least` to `most`. */
export function integerParameter(
  request: S3Request,
  name: string,
  { least, most, absent }: { least: number; most: number; absent?: number },
): number {
  const text = request.parameter(name) ?? absent?.toString() ?? '';
  if (!/^\d{1,10}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new S3Error('InvalidArgument', `Argument ${name} must be an integer between ${least} and ${most}`, {
      ArgumentName: name,
      ArgumentValue: text,
    });
  }
  return Number(text);
}

/** Returns the number of results on a page: the requested number, but at most 1000. */
export function pageSize(request: S3Request, name: string): number {
  return Math.min(integerParameter(request, name, { least: 0, most: 2 ** 31 - 1, absent: 1000 }), 1000);
}
