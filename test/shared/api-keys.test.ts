import { crc32 as reference } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, hashOfKey, keyIdOf, matchesHash, newApiKey } from '../../shared/api-keys.ts';
import { forAny } from '../support/for-any.ts';

describe('API keys', () => {
  it('are checked with the standard CRC-32', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (text) => crc32(text) === reference(text)));
  });

  it('have the form knr_{live|test}_{id}_{secret}{crc}', () => {
    expect(newApiKey('live').text).toMatch(/^knr_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(newApiKey('test').text).toMatch(/^knr_test_/);
  });

  it('contain their id', () => {
    const { id, text } = newApiKey('test');
    expect(keyIdOf(text)).toBe(id);
  });

  it('are rejected if they are mistyped, because only the checksum differs', () => {
    const { text } = newApiKey('test');
    forAny([fc.integer({ min: 9, max: text.length - 1 }), fc.constantFrom(...'0Az9')], (at, other) => {
      const mistyped = text.slice(0, at) + other + text.slice(at + 1);
      expect(keyIdOf(mistyped) === null).toBe(mistyped !== text);
    });
  });

  it('match only their own hash', () => {
    const { text } = newApiKey('test');
    expect(matchesHash(text, hashOfKey(text))).toBe(true);
    expect(matchesHash(newApiKey('test').text, hashOfKey(text))).toBe(false);
  });
});
