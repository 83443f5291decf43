/** Each command reports a mistake in its arguments in one line and exits with 2. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = (script: string, ...args: string[]) =>
  promisify(execFile)('node', [`scripts/${script}`, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

it.concurrent.each([
  'keys.ts create --tenant acme --days -1',
  'keys.ts list acme',
  'doctor.ts nowhere',
  'restore.ts erase --tenant acme',
  'restore.ts assets --al',
  'cost.ts nope',
  'build-site.ts nope',
])(
  '%s',
  async (typed) => {
    const [script = '', ...args] = typed.split(' ');
    const { code, stdout, stderr } = await run(script, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^✗ [^\n]+\n {2}→ [^\n]+\n$/);
  },
  30_000,
);

it('a command reports missing credentials and how to get some', async () => {
  const nowhere = { AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: '/nowhere', HOME: '/nowhere' };
  const place = ['--table', 'Core', '--bucket', 'media', '--region', 'eu-central-1'];
  const { code, stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/restore.ts', 'erase', '--tenant', 'acme', '--asset', 'a', ...place],
    { env: nowhere },
  ).catch((error) => error);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^✗ No AWS credentials found: [^\n]+\n {2}→ Sign in[^\n]+\n$/);
});
