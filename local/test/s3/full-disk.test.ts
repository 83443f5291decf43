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

it('reports a full disk if a file cannot be written', async () => {
  expect(told(await failureOf(() => writeFile('/dev/full', 'a part')))).toContain('is full. Free some space');
});

it('reports a full disk if the records of objects cannot be written', async () => {
  const records = new DatabaseSync(':memory:');
  const failure = await failureOf(async () =>
    records.exec('PRAGMA max_page_count = 2; CREATE TABLE a (b); CREATE TABLE c (d)'),
  );
  expect(told(failure)).toContain('is full. Free some space');
});

it('hides the details of other failures', async () => {
  expect(told(await failureOf(() => writeFile('/', 'a part')))).toContain('We encountered an internal error');
});
