import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { billOfMaterials } from '../../../scripts/audit/bill-of-materials.ts';
import { exceptions } from '../../../scripts/audit/exceptions.ts';
import { type AdvisoryRecord, audited, type Exception } from '../../../scripts/audit/findings.ts';
import { isAllowed } from '../../../scripts/audit/licences.ts';
import { idOf, type LockedPackage, packagesIn } from '../../../scripts/audit/packages.ts';
import { isIn } from '../../../scripts/audit/versions.ts';
import { root } from '../../../toolchain/bundle/paths.ts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const known = JSON.parse(read('scripts', 'audit', 'advisories.json')) as AdvisoryRecord;
const day = '2026-11-22';
const nothingKnown = { recorded: day, advisories: [] };

const locked = (name: string, version: string, licence: string | null = 'MIT'): LockedPackage => ({
  ...{ name, version, licence, integrity: null, isForDevelopment: false },
});
const excepted = (of: string): Exception => ({ package: 'a', of, reason: 'Because', expires: '2026-12-01' });

describe('an audit', () => {
  it('refuses licences that ask for more than a notice, and packages that name none', () => {
    for (const licence of ['GPL-3.0-or-later', 'LGPL-3.0-or-later', 'SEE LICENSE', null]) {
      expect(audited([locked('a', '1.0.0', licence)], nothingKnown, [], day).errors).toHaveLength(1);
    }
    expect(isAllowed('(MIT OR GPL-3.0-or-later)')).toBe(true);
    expect(isAllowed('Apache-2.0 AND LGPL-3.0-or-later AND MIT')).toBe(false);
  });

  it('finds the versions that an advisory is about', () => {
    const advisories = [
      { id: 'GHSA-1', package: 'a', range: '>=1.0.0 <1.2.3 || <0.5.1', severity: 'high', title: 'Bad' },
    ];
    const found = (version: string) =>
      audited([locked('a', version)], { ...nothingKnown, advisories }, [], day);
    expect(found('1.2.2').errors).toEqual(['a@1.2.2 has the advisory GHSA-1 (high): Bad']);
    expect(found('1.2.3').errors).toEqual([]);
    expect(audited([locked('b', '1.1.0')], { ...nothingKnown, advisories }, [], day).errors).toEqual([]);
    const passed = audited(
      [locked('a', '1.1.0')],
      { ...nothingKnown, advisories },
      [excepted('GHSA-1')],
      day,
    );
    expect(passed.errors).toEqual([]);
  });

  it('lets an exception pass until it expires, and none that is about nothing', () => {
    const gpl = [locked('a', '1.0.0', 'GPL-2.0-only')];
    expect(audited(gpl, nothingKnown, [excepted('licence')], day).errors).toEqual([]);
    expect(audited(gpl, nothingKnown, [excepted('licence')], '2026-12-01').errors).toHaveLength(2);
    expect(audited([], nothingKnown, [excepted('licence')], day).errors).toHaveLength(1);
  });

  it('warns where the advisories are older than thirty days, or were never asked for', () => {
    const warnings = (recorded: string | null) => audited([], { recorded, advisories: [] }, [], day).warnings;
    expect(warnings('2026-10-23')).toEqual([]);
    expect(warnings('2026-10-22')).toHaveLength(1);
    expect(warnings(null)).toHaveLength(1);
  });

  it('of what Kinora installs finds nothing', () => {
    const locks = [['package-lock.json'], ['lib', 'jobs', 'media-image', 'client', 'package-lock.json']];
    const packages = packagesIn(...locks.map((path) => read(...path)));
    expect(packages.length).toBeGreaterThan(500);
    // Of the day on which it was asked: a test does not begin to fail by the calendar.
    expect(audited(packages, known, exceptions, known.recorded ?? day).errors).toEqual([]);
    for (const { reason } of exceptions) expect(reason.split(' ').length, reason).toBeGreaterThan(7);
  });
});

describe('a range of versions', () => {
  it.each([
    ['1.2.3', '*', true],
    ['1.2.3', '<=1.2.3', true],
    ['1.2.3', '= 1.2.3', true],
    ['1.10.0', '<1.9.0', false],
    ['2.0.0-rc.1', '<2.0.0', true],
    ['2.0.0-rc.10', '>2.0.0-rc.9', true],
    ['2.0.0-beta', '>2.0.0-1', true],
  ])('has %s in %s: %s', (version, range, is) => {
    expect(isIn(version, range)).toBe(is);
  });

  it('of another form is refused rather than passed over', () => {
    expect(() => isIn('1.0.0', '^1.0.0')).toThrow('no known form');
  });
});

describe('the bill of materials', () => {
  const packages = packagesIn(
    read('package-lock.json'),
    read('lib', 'jobs', 'media-image', 'client', 'package-lock.json'),
  );
  const bill = billOfMaterials(packages, { name: 'kinora', version: '0.1.0' });

  it('is CycloneDX 1.6, and the same for the same lock file', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(billOfMaterials(packages, { name: 'kinora', version: '0.1.0' })).toEqual(bill);
  });

  it('names every package of the lock files once, what the media image compiles included, with its address, its licence and the sum of its archive', () => {
    expect(bill.components.map((one) => one['bom-ref'])).toEqual(packages.map(idOf));
    expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(packages.length);
    const sfn = bill.components.find(({ purl }) => purl.startsWith('pkg:npm/%40aws-sdk/client-sfn@'));
    expect(sfn).toMatchObject({
      ...{ type: 'library', group: '@aws-sdk', name: 'client-sfn', scope: 'required' },
      licenses: [{ license: { id: 'Apache-2.0' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
    const ric = bill.components.find(({ purl }) => purl.startsWith('pkg:npm/aws-lambda-ric@'));
    expect(ric).toMatchObject({ scope: 'required' });
    const vitest = bill.components.find(({ purl }) => purl.startsWith('pkg:npm/vitest@'));
    expect(vitest).toMatchObject({ scope: 'excluded' });
  });
});
