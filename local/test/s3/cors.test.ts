import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTemplate } from '../../template/index.ts';
import { here, writeAssembly } from '../template/assembly.ts';
import { clientOf, errorCode, sendRaw, startTestServer, type TestServer } from './harness.ts';

const webOrigin = 'https://app.kinora.test';
const bucketName = 'kinora-media';
const CorsRules = [
  {
    Id: 'uploads',
    AllowedOrigins: ['https://*.kinora.test', 'http://localhost:8080'],
    AllowedMethods: ['PUT', 'GET'],
    AllowedHeaders: ['content-type', 'X-Amz-*'],
    ExposedHeaders: ['ETag', 'Content-Range'],
    MaxAge: 600,
  },
  { AllowedOrigins: ['https://app.kinora.test'], AllowedMethods: ['DELETE'] },
  { AllowedOrigins: ['*'], AllowedMethods: ['HEAD'] },
];

let server: TestServer;
beforeAll(async () => {
  const Resources = {
    Media: {
      Type: 'AWS::S3::Bucket',
      Properties: { BucketName: bucketName, CorsConfiguration: { CorsRules } },
    },
    Closed: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'closed-bucket' } },
  };
  const { buckets } = await readTemplate(writeAssembly({ 'Kinora-dev-Data': { Resources } }), '', here);
  server = await startTestServer({ buckets });
});
afterAll(() => server.close());

const preflight = (headers: Record<string, string>, path = `/${bucketName}/key`) =>
  sendRaw(server.url, { method: 'OPTIONS', path, headers });
const asking = (origin: string, method: string, names?: string) => ({
  origin,
  'access-control-request-method': method,
  ...(names !== undefined && { 'access-control-request-headers': names }),
});
const allowanceIn = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-|vary$)/.test(name)));

const varyNames = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';
const granted = {
  'access-control-allow-origin': webOrigin,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'PUT, GET',
  'access-control-expose-headers': 'ETag, Content-Range',
  'access-control-max-age': '600',
  vary: varyNames,
};

describe('a preflight request', () => {
  it('is answered with the permissions of the CORS rule, and needs no signature', async () => {
    const answer = await preflight(asking(webOrigin, 'PUT', 'Content-Type,x-amz-meta-a, X-AMZ-DATE'));
    expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([200, '', '0']);
    expect(allowanceIn(answer.headers)).toEqual({
      ...granted,
      'access-control-allow-headers': 'content-type, x-amz-meta-a, x-amz-date',
    });
  });

  it('is answered by the first rule that allows its origin, its method and its headers', async () => {
    const answer = await preflight(asking(webOrigin, 'DELETE'));
    expect(allowanceIn(answer.headers)).toEqual({
      'access-control-allow-origin': webOrigin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'DELETE',
      vary: varyNames,
    });
  });

  it('from any origin is allowed by a rule for all origins, without credentials', async () => {
    const answer = await preflight(asking('https://anyone.test', 'HEAD'));
    expect(allowanceIn(answer.headers)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'HEAD',
      vary: varyNames,
    });
  });

  it.each([
    ['https://app.kinora.test', 200],
    ['https://a.b.kinora.test', 200],
    ['http://localhost:8080', 200],
    ['http://localhost:8081', 403],
    ['https://kinora.test', 403],
    ['https://evilkinora.test', 403],
    ['https://app.kinora.test.evil.test', 403],
    ['http://app.kinora.test', 403],
    ['https://app.kinora.test/', 403],
    ['null', 403],
  ])('from %s to a bucket with wildcard origins has status %i', async (origin, status) => {
    expect((await preflight(asking(origin, 'PUT'))).status).toBe(status);
  });

  it.each([
    ['another origin', asking('https://evil.test', 'PUT'), 'PUT'],
    ['another method', asking(webOrigin, 'POST'), 'POST'],
    ['a method in lower case', asking(webOrigin, 'put'), 'put'],
    ['another header', asking(webOrigin, 'PUT', 'content-type, authorization'), 'PUT'],
    ['any header if the rule allows none', asking(webOrigin, 'DELETE', 'content-type'), 'DELETE'],
  ])('is forbidden for %s', async (_, headers, method) => {
    const answer = await preflight(headers);
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessForbidden']);
    expect(answer.body).toContain(`<Method>${method}</Method><ResourceType>OBJECT</ResourceType>`);
    expect(allowanceIn(answer.headers)).toEqual({});
  });

  it.each([
    ['for the bucket itself', `/${bucketName}`, 'This CORS request is not allowed'],
    ['for a bucket without rules', '/closed-bucket/key', 'CORS is not enabled for this bucket'],
    ['for a bucket that does not exist', '/no-such-bucket/key', 'Bucket not found'],
  ])('is forbidden %s', async (_, path, message) => {
    const answer = await preflight(asking('https://evil.test', 'PUT'), path);
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessForbidden']);
    expect(answer.body).toContain(message);
    expect(answer.body).toContain('<Method>PUT</Method><ResourceType>BUCKET</ResourceType>');
  });

  it.each([
    ['no origin', { 'access-control-request-method': 'PUT' }],
    ['no method', { origin: webOrigin }],
  ])('has status 400 if it has %s', async (_, headers) => {
    const answer = await preflight(headers);
    expect([answer.status, errorCode(answer)]).toEqual([400, 'BadRequest']);
  });

  it('does not replace the signature of the request after it', async () => {
    expect(await preflight(asking(webOrigin, 'GET'))).toMatchObject({ status: 200 });
    const answer = await sendRaw(server.url, { path: `/${bucketName}/x`, headers: { origin: webOrigin } });
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessDenied']);
  });
});

describe('the response to a request from another origin', () => {
  const presigned = async (command: PutObjectCommand | GetObjectCommand) => {
    const client = clientOf(server.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    // The two commands have no type in common that the presigner takes.
    return getSignedUrl(client, command as PutObjectCommand);
  };
  const at = { Bucket: bucketName, Key: 'from a page' };
  const fetchFrom = async (origin: string, init: RequestInit = {}) => {
    const isPut = init.method === 'PUT';
    const url = await presigned(isPut ? new PutObjectCommand(at) : new GetObjectCommand(at));
    return fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), origin } });
  };

  it('exposes the headers of the rule, for example the ETag that a page needs to complete its upload', async () => {
    const answer = await fetchFrom(webOrigin, { method: 'PUT', body: 'x' });
    expect(answer.status).toBe(200);
    expect(allowanceIn(Object.fromEntries(answer.headers))).toEqual(granted);
    const read = await fetchFrom(webOrigin, { headers: { range: 'bytes=0-0' } });
    expect([read.status, await read.text()]).toEqual([206, 'x']);
    expect(allowanceIn(Object.fromEntries(read.headers))).toEqual(granted);
  });

  it('lets the page read errors too', async () => {
    const answer = await sendRaw(server.url, { path: `/${bucketName}/x`, headers: { origin: webOrigin } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, webOrigin]);
  });

  it.each([
    ['for an origin without a rule', 'https://evil.test', {}],
    ['for a request without an origin', '', {}],
    // Recorded on AWS: what a request says in the manner of a preflight request is taken at its word.
    [
      'if the request names a method that is not allowed',
      webOrigin,
      { 'access-control-request-method': 'POST' },
    ],
    [
      'if the request names a header that is not allowed',
      webOrigin,
      { 'access-control-request-headers': 'authorization' },
    ],
  ])('has no CORS headers %s', async (_, origin, headers) => {
    const sent = { ...headers, ...(origin && { origin }) };
    const answer = await sendRaw(server.url, { path: `/${bucketName}/x`, headers: sent });
    expect(allowanceIn(answer.headers)).toEqual({});
  });
});
