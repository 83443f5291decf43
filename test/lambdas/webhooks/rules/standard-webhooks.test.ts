import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  inUse,
  messageOf,
  newSecret,
  rotated,
  waitAfter,
} from '../../../../lambdas/webhooks/rules/standard-webhooks.ts';
import { testEvent } from '../../../../platform/outbox/events.ts';
import { wants } from '../../../../platform/outbox/webhooks.ts';
import { forAny } from '../../../support/for-any.ts';

const now = new Date();
const event = testEvent(now, '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55');

describe('a message', () => {
  it('is verified by the library of Standard Webhooks, for any content', () => {
    forAny([fc.string({ unit: 'grapheme' })], (text) => {
      const secret = newSecret();
      const spoken = { ...event, data: { webhook_id: text } };
      const { headers, body } = messageOf(spoken, [secret], now);
      expect(new Webhook(secret).verify(body, { ...headers })).toEqual(spoken);
    });
  });

  it('is verified with each current secret, and with no other', () => {
    const [old, fresh, other] = [newSecret(), newSecret(), newSecret()];
    const { headers, body } = messageOf(event, [fresh, old], now);
    for (const secret of [old, fresh]) new Webhook(secret).verify(body, { ...headers });
    expect(() => new Webhook(other).verify(body, { ...headers })).toThrow('No matching signature');
  });

  it('is refused if its text was changed', () => {
    const secret = newSecret();
    const { headers, body } = messageOf(event, [secret], now);
    expect(() => new Webhook(secret).verify(body.replace('test', 'ready'), { ...headers })).toThrow();
  });
});

describe('a secret', () => {
  it('has 256 bits, and is different each time', () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    for (const secret of secrets) {
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });

  const named = (name: string) => ({ name, expires_at: null as string | null });
  const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

  it('still signs for a day after its replacement', () => {
    const changed = rotated([named('old')], named('fresh'), now);
    const names = (at: Date) => inUse(changed, at).map(({ name }) => name);
    expect(names(later(23.9))).toEqual(['fresh', 'old']);
    expect(names(later(24.1))).toEqual(['fresh']);
  });

  it('still signs if the replacement is repeated', () => {
    const twice = rotated(rotated([named('old')], named('lost'), now), named('fresh'), later(1));
    expect(inUse(twice, later(2)).map(({ name }) => name)).toEqual(['fresh', 'lost', 'old']);
    expect(inUse(twice, later(24.5)).map(({ name }) => name)).toEqual(['fresh', 'lost']);
  });
});

describe('the next attempt', () => {
  const planned = Array.from({ length: 9 }, (_, attempt) => waitAfter(attempt, null, 0, 0)!);

  it('is planned up to nine times, within three to four days', () => {
    for (const [nth, wait] of planned.entries()) {
      if (nth > 0) expect(wait).toBeGreaterThan(planned[nth - 1]!);
    }
    const days = planned.reduce((sum, wait) => sum + wait) / 86_400;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(4);
    expect(waitAfter(9, null, 0, 0)).toBeNull();
  });

  it('waits a random tenth longer at most, and up to a day if the receiver asks for it', () => {
    expect(waitAfter(1, null, 1, 0)).toBe(330);
    expect(waitAfter(0, 120, 0, 0)).toBe(120);
    expect(waitAfter(4, 1, 0, 0)).toBe(planned[4]);
    expect(waitAfter(0, 1e9, 0, 0)).toBe(86_400);
  });

  it('always comes to an end before the machine does, even if the receiver always asks for a day', () => {
    const { TimeoutSeconds } = JSON.parse(readFileSync('state-machines/deliver-event.asl.json', 'utf8'));
    let [age, attempts] = [0, 0];
    for (let wait: number | null = 0; wait !== null; attempts += 1) {
      // Each attempt may also take a minute.
      age += wait + 60;
      wait = waitAfter(attempts, 86_400, 1, age);
    }
    expect(attempts).toBeGreaterThanOrEqual(6);
    expect(age).toBeLessThan(TimeoutSeconds - 3600);
  });
});

describe('a webhook', () => {
  it('receives the types that it chose, all if it chose none, and nothing while it is disabled', () => {
    const chosen = ['asset.ready'] as const;
    expect(wants({ enabled: true, event_types: chosen }, 'asset.ready')).toBe(true);
    expect(wants({ enabled: true, event_types: chosen }, 'job.failed')).toBe(false);
    expect(wants({ enabled: true, event_types: null }, 'job.failed')).toBe(true);
    expect(wants({ enabled: false, event_types: null }, 'asset.ready')).toBe(false);
  });
});
