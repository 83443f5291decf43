/** The targets that docs/runbooks.md names exist. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { accessLogFields } from '../../lib/site/site-watch-stack.ts';

const text = readFileSync('docs/runbooks.md', 'utf8');

it('the runbooks name only fields that the log of the site has', () => {
  const named = new Set(text.match(/\bx-edge-[a-z-]+/g));
  expect(named.size).toBeGreaterThan(0);
  expect(accessLogFields).toEqual(expect.arrayContaining([...named]));
});

it('the query of the runbooks for crashed functions does not match cold starts', () => {
  const [, pattern = ''] = /@message like \/([^/]+Runtime[^/]*)\//.exec(text) ?? [];
  const crashed = new RegExp(pattern);
  expect('RequestId: 1 Error: Runtime exited with error: signal: killed Runtime.ExitError').toMatch(crashed);
  expect('2026-11-23T03:00:00Z 1 Task timed out after 3.00 seconds').toMatch(crashed);
  expect(
    'INIT_START Runtime Version: nodejs:24.v20 Runtime Version ARN: arn:aws:lambda:eu-west-1::runtime:1',
  ).not.toMatch(crashed);
});

it('the command of the runbooks for undelivered events reads the attributes of EventBridge', () => {
  const [reading = ''] = /aws sqs receive-message[^`]*/.exec(text) ?? [];
  expect(reading).toContain('--message-attribute-names All');
});
