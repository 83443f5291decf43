import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { readTemplate } from '../../template/index.ts';
import { here, writeAssembly } from '../template/assembly.ts';
import { BUCKET, clientOf, errorCode, sendRaw, useS3 } from './harness.ts';

const webOrigin = 'https://app.example.test';
const CorsRules = [
  {
    Id: 'uploads',
    AllowedOrigins: ['https://*.example.test', 'http://localhost:8080'],
    AllowedMethods: ['PUT', 'GET'],
    AllowedHeaders: ['content-type', 'X-Amz-*'],
    ExposedHeaders: ['ETag', 'Content-Range'],
    MaxAge: 600,
  },
  { AllowedOrigins: ['https://app.example.test'], AllowedMethods: ['DELETE'] },
  { AllowedOrigins: ['*'], AllowedMethods: ['HEAD'] },
];

const Resources = {
  Media: { Type: 'AWS::S3::Bucket', Properties: { BucketName: BUCKET, CorsConfiguration: { CorsRules } } },
  Closed: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'closed-bucket' } },
};
const { buckets } = await readTemplate(writeAssembly({ 'App-dev-Data': { Resources } }), '', here);
const s3 = useS3({ buckets });

const preflight = (headers: Record<string, string>, path = `/${BUCKET}/key`) =>
  sendRaw(s3.url, { method: 'OPTIONS', path, headers });
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
    ['https://app.example.test', 200],
    ['https://a.b.example.test', 200],
    ['http://localhost:8080', 200],
    ['http://localhost:8081', 403],
    ['https://example.test', 403],
    ['https://evilexample.test', 403],
    ['https://app.example.test.evil.test', 403],
    ['http://app.example.test', 403],
    ['https://app.example.test/', 403],
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
    ['for the bucket itself', `/${BUCKET}`, 'This CORS request is not allowed'],
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
    const answer = await sendRaw(s3.url, { path: `/${BUCKET}/x`, headers: { origin: webOrigin } });
    expect([answer.status, errorCode(answer)]).toEqual([403, 'AccessDenied']);
  });
});

describe('the response to a request from another origin', () => {
  it('exposes the headers of the rule, for example the ETag that a page needs to complete its upload', async () => {
    const client = clientOf(s3.url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const upload = await getSignedUrl(client, new PutObjectCommand(s3.at('from a page')));
    const answer = await fetch(upload, { method: 'PUT', body: 'x', headers: { origin: webOrigin } });
    expect(answer.status).toBe(200);
    expect(allowanceIn(Object.fromEntries(answer.headers))).toEqual(granted);
    const download = await getSignedUrl(client, new GetObjectCommand(s3.at('from a page')));
    const read = await fetch(download, { headers: { range: 'bytes=0-0', origin: webOrigin } });
    expect([read.status, await read.text()]).toEqual([206, 'x']);
    expect(allowanceIn(Object.fromEntries(read.headers))).toEqual(granted);
  });

  it('lets the page read errors too', async () => {
    const answer = await sendRaw(s3.url, { path: `/${BUCKET}/x`, headers: { origin: webOrigin } });
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
    const answer = await sendRaw(s3.url, { path: `/${BUCKET}/x`, headers: sent });
    expect(allowanceIn(answer.headers)).toEqual({});
  });
});
