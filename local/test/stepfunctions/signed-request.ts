/** Requests that are signed by hand, where a client would be too much, or would not send what is to be refused. */
import { createHash, createHmac } from 'node:crypto';
import { REGION } from './harness.ts';

export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface Signing {
  readonly region: string;
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Where another body is signed than the one that is sent. */
  readonly body: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** IAM user guide, "Create a signed AWS API request", for a POST to `/`. */
export function signed(url: string, target: string, sent: string, signing: Partial<Signing> = {}) {
  const { region = REGION, service = 'states', at = Date.now(), body = sent } = signing;
  const { accessKeyId, secretAccessKey } = { ...CREDENTIALS, ...signing };
  const date = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const names = 'host;x-amz-date;x-amz-target';
  const headers = `host:${new URL(url).host}\nx-amz-date:${date}\nx-amz-target:${target}\n`;
  const request = ['POST', '/', '', headers, names, sha256(body)].join('\n');
  const key = [date.slice(0, 8), region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(request)].join('\n');
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
    'x-amz-date': date,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

export async function call(
  url: string,
  operation: string,
  parameters: object,
  { headers = {}, ...signing }: Partial<Signing> & { readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = JSON.stringify(parameters);
  const own = signed(url, `AWSStepFunctions.${operation}`, body, signing);
  return fetch(url, { method: 'POST', headers: { ...own, ...headers }, body });
}
