import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { renderError, shownOf } from '../../s3/errors.ts';

const told = (error: unknown) => renderError(shownOf(error), '/bucket/key', 'id');
const failureOf = (write: () => Promise<unknown>) =>
  write().then(
    () => undefined,
    (error) => error,
  );

it('says so when a file finds no space', async () => {
  expect(told(await failureOf(() => writeFile('/dev/full', 'a part')))).toContain('is full. Free some space');
});

it('says so when the records of objects find no space', async () => {
  const records = new DatabaseSync(':memory:');
  const failure = await failureOf(async () =>
    records.exec('PRAGMA max_page_count = 2; CREATE TABLE a (b); CREATE TABLE c (d)'),
  );
  expect(told(failure)).toContain('is full. Free some space');
});

it('tells nothing of other mishaps', async () => {
  expect(told(await failureOf(() => writeFile('/', 'a part')))).toContain('We encountered an internal error');
});
