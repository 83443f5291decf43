import { expect, it } from 'vitest';
import { advisoriesIn, auditFault } from '../../../scripts/audit/advisories.ts';

const record = { at: '2026-11-26T12:00:00.000Z', locks: 'a', known: 5, found: 0 };

it.each([
  ['no record', null, 'There is no record of an audit.'],
  ['a record of other packages', { ...record, locks: 'b' }, 'The lock files changed after the audit.'],
  [
    'a registry without advisories',
    { ...record, known: 0 },
    'The registry of the audit knows no advisories.',
  ],
  ['advisories that apply', { ...record, found: 2 }, '2 advisories apply.'],
  ['a complete audit without findings', record, null],
])('lets a release follow from %s only if nothing is wrong', (_, given, fault) => {
  expect(auditFault(given, 'a')).toBe(fault);
});

it('counts the advisories of a report, and none of an error is a number', () => {
  expect(advisoriesIn('{"metadata":{"vulnerabilities":{"total":3}}}')).toBe(3);
  expect(advisoriesIn('{"error":{"code":"ENOAUDIT"}}')).toBeNull();
  expect(advisoriesIn('404')).toBeNull();
});
