/** Requests with a signature of the right form, where a client would be too much. */

import { REGION } from './harness.ts';

export const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=local/20260101/${REGION}/states/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`;

export async function call(
  url: string,
  operation: string,
  parameters: object,
  headers: object = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AWSStepFunctions.${operation}`,
      authorization: AUTHORIZATION,
      ...headers,
    },
    body: JSON.stringify(parameters),
  });
}

/** @throws Error with the service's answer where it refuses */
export async function sendTaskSuccess(url: string, taskToken: string, output: unknown): Promise<void> {
  const response = await call(url, 'SendTaskSuccess', { taskToken, output: JSON.stringify(output) });
  if (!response.ok) throw new Error(await response.text());
}
