import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../platform/kernel/http.ts';
import { REPLY_LIMIT_BYTES, represented, versionOf } from '../../../platform/kernel/representation.ts';
import { Problem } from '../../../shared/problems.ts';
import { httpEvent } from '../../support/http-event.ts';

const json = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };
const reply = (body: string): HttpReply => ({ statusCode: 200, headers: { ...json, ETag: '"7"' }, body });
const asked = (headers: Record<string, string> = {}) => httpEvent({ route: 'GET /v1/things', headers });
const gzip = { 'accept-encoding': 'gzip, deflate' };
const large = reply('a long answer '.repeat(5000));
const small = reply('{"short":true}');

/** The response as a client reads it. */
const readable = ({ body }: HttpReply) => gunzipSync(Buffer.from(body, 'base64')).toString('utf8');

describe('a large response', () => {
  it('is gzipped if gzip is accepted, with its own entity tag and with Vary', () => {
    const sent = represented(large, asked(gzip));
    expect(sent).toMatchObject({ statusCode: 200, isBase64Encoded: true });
    const coding = { Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' };
    expect(sent.headers).toEqual({ ...json, ...coding, ETag: '"7+gzip"' });
    expect(readable(sent)).toBe(large.body);
    expect(sent.body.length).toBeLessThan(large.body.length / 10);
  });

  it.each([
    ['gzip', true],
    ['br;q=1.0, gzip;q=0.5', true],
    ['*', true],
    ['GZIP', true],
    ['gzip;q=0', false],
    ['*;q=0', false],
    ['*, gzip;q=0', false],
    ['identity', false],
    ['br', false],
    ['', false],
  ])('to a client that sends Accept-Encoding %j is gzipped: %s', (field, isGzipped) => {
    const sent = represented(large, asked({ 'accept-encoding': field }));
    expect('Content-Encoding' in sent.headers).toBe(isGzipped);
    const ETag = isGzipped ? '"7+gzip"' : '"7"';
    expect(sent.headers).toMatchObject({ Vary: 'Accept-Encoding', ETag });
  });

  it('is plain text to a client that names no encoding', () => {
    const headers = { ...large.headers, Vary: 'Accept-Encoding' };
    expect(represented(large, asked())).toEqual({ ...large, headers });
  });

  it('has the same text after decompression', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const body = text.repeat(20_000);
        expect(readable(represented(reply(body), asked(gzip)))).toBe(body);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a small response', () => {
  it('is not compressed, even if the caller accepts gzip', () =>
    expect(represented(small, asked(gzip))).toEqual(small));
});

describe('If-None-Match', () => {
  const status = (answer: HttpReply, headers: Record<string, string>) =>
    represented(answer, asked(headers)).statusCode;

  it('is answered 304 if it names the representation that would be sent', () => {
    expect(status(small, { 'if-none-match': '"7"' })).toBe(304);
    expect(status(large, { 'if-none-match': '"7"' })).toBe(304);
    expect(status(large, { ...gzip, 'if-none-match': '"7+gzip"' })).toBe(304);
    expect(status(large, { ...gzip, 'if-none-match': 'W/"7+gzip"' })).toBe(304);
    expect(status(large, { ...gzip, 'if-none-match': '*' })).toBe(304);
  });

  it('is answered with the whole body if it names the other representation, or another version', () => {
    expect(status(large, { ...gzip, 'if-none-match': '"7"' })).toBe(200);
    expect(status(large, { 'if-none-match': '"7+gzip"' })).toBe(200);
    expect(status(large, { ...gzip, 'if-none-match': '"6+gzip"' })).toBe(200);
  });

  it('causes a 304 with the headers of the 200, except those of the body', () => {
    expect(represented(large, asked({ ...gzip, 'if-none-match': '"7+gzip"' }))).toEqual({
      statusCode: 304,
      headers: { 'Cache-Control': 'private, no-cache', ETag: '"7+gzip"', Vary: 'Accept-Encoding' },
      body: '',
    });
  });
});

describe('If-Match', () => {
  it.each([
    ['"7"', '7'],
    ['"7+gzip"', '7'],
    ['  "7-abc"  ', '7-abc'],
    ['*', undefined],
    [undefined, undefined],
  ])('with the value %s requires version %s', (header, version) => expect(versionOf(header)).toBe(version));

  it('compares strongly: a weak tag matches no version', () => expect(versionOf('W/"7"')).not.toBe('7'));
});

describe('a response that cannot be sent', () => {
  const refusal = (answer: HttpReply, headers: Record<string, string>) => {
    try {
      return represented(answer, asked(headers));
    } catch (error) {
      return error as Problem;
    }
  };
  const quotes = '"'.repeat(REPLY_LIMIT_BYTES * 0.6);

  it('is answer_too_large; the detail suggests gzip if that can help', () => {
    const error = refusal(reply('x'.repeat(REPLY_LIMIT_BYTES)), {}) as Problem;
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'answer_too_large', detail: expect.stringContaining('gzip') });
  });

  it('is measured as in Lambda: with the backslash before every quotation mark in JSON', () => {
    expect(refusal(reply(quotes), {})).toMatchObject({ code: 'answer_too_large' });
    expect(refusal(reply(quotes), gzip)).toMatchObject({ statusCode: 200 });
  });
});
