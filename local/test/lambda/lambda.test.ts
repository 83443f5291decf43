import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Lambda, requestIdFrom } from '../../lambda/index.ts';
import { birthOf } from '../../processes.ts';
import { bench as createBench } from './functions.ts';

const open: Lambda[] = [];
afterEach(() => Promise.all(open.splice(0).map((lambda) => lambda.close())));

const bench: typeof createBench = (...args) => {
  const made = createBench(...args);
  open.push(made.lambda);
  return made;
};

async function call(lambda: Lambda, name: string, payload: unknown = {}): Promise<unknown> {
  const outcome = await lambda.invoke(name, JSON.stringify(payload));
  return 'payload' in outcome ? JSON.parse(outcome.payload) : outcome.error;
}

const isGone = (pid: number) => vi.waitFor(() => expect(birthOf(pid)).toBeUndefined(), 10_000);

/** Bytes of the heap after garbage collection. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('an invocation', () => {
  it('is removed from memory after its result, although its process continues', async () => {
    const { lambda } = bench({ Long: `export const handler = async () => 'x'.repeat(100_000);` });
    const some = async () => {
      for (let nth = 0; nth < 100; nth += 1) await lambda.invoke('Long', '{}');
    };
    await some();
    const before = heap();
    await some();
    expect(heap() - before).toBeLessThan(2_000_000);
  });

  it('passes the payload and the result as JSON', async () => {
    const { lambda } = bench({
      Echo: 'export const handler = async (event) => ({ ...event, none: undefined });',
    });
    expect(await call(lambda, 'Echo', { a: ['é', null] })).toEqual({ a: ['é', null] });
  });

  it('returns null if the handler returns nothing', async () => {
    const { lambda } = bench({ Nothing: 'export const handler = async () => {};' });
    expect(await lambda.invoke('Nothing', '{}')).toEqual({ payload: 'null' });
  });

  it('finds the function by its ARN, with or without a qualifier', async () => {
    const { lambda } = bench({ One: 'export const handler = async () => 1;' });
    expect(await call(lambda, 'arn:aws:lambda:eu-west-1:000000000000:function:One:live')).toBe(1);
    await expect(lambda.invoke('Two', '{}')).rejects.toThrow('Function not found: Two');
  });

  it('passes the context object of the runtime', async () => {
    const source = `export const handler = async (_, context) =>
      ({ ...context, left: context.getRemainingTimeInMillis() });`;
    const { lambda } = bench({ Context: source });
    const requestId = requestIdFrom('execution/Probe/1');
    const outcome = await lambda.invoke('Context', '{}', {
      requestId,
      clientContext: { custom: { key: 'k' } },
    });
    const context = JSON.parse('payload' in outcome ? outcome.payload : '{}');
    expect(context).toMatchObject({
      awsRequestId: requestId,
      functionName: 'Context',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:Context',
      memoryLimitInMB: '256',
      clientContext: { custom: { key: 'k' } },
    });
    expect(context.left).toBeGreaterThan(0);
    expect(context.left).toBeLessThanOrEqual(20_000);
  });

  it('has a UUID as its request id, and the same one for the same idempotency key', () => {
    expect(requestIdFrom('a')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(requestIdFrom('a')).toBe(requestIdFrom('a'));
    expect(requestIdFrom('a')).not.toBe(requestIdFrom('b'));
  });
});

describe('the environment of a function', () => {
  const source = 'export const handler = async () => process.env;';

  it('contains the variables of the template, of Lambda and of the local cloud', async () => {
    const { lambda } = bench({ Env: source });
    expect(await call(lambda, 'Env')).toMatchObject({
      STAGE: 'dev',
      AWS_REGION: 'eu-west-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Env',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
      TZ: 'UTC',
    });
  });

  it('contains no secrets of the host', async () => {
    vi.stubEnv('AWS_PROFILE', 'mine');
    vi.stubEnv('GITHUB_TOKEN', 'secret');
    const { lambda } = bench({ Env: source });
    const variables = (await call(lambda, 'Env')) as Record<string, string>;
    vi.unstubAllEnvs();
    expect(variables).not.toHaveProperty('AWS_PROFILE');
    expect(variables).not.toHaveProperty('GITHUB_TOKEN');
    expect(variables.HOME).not.toBe(process.env.HOME);
  });

  it('has a temporary directory of its own, which is deleted with the function', async () => {
    const { lambda, directory } = bench({
      Write: `import { writeFileSync } from 'node:fs'; import { tmpdir } from 'node:os';
        export const handler = async () => { writeFileSync(tmpdir() + '/file', 'x'); return tmpdir(); };`,
    });
    const temporary = String(await call(lambda, 'Write'));
    expect(temporary.startsWith(join(directory, 'tmp'))).toBe(true);
    expect(existsSync(join(temporary, 'file'))).toBe(true);
    await lambda.close();
    expect(existsSync(temporary)).toBe(false);
  });
});

describe('execution environments', () => {
  const counting = `let count = 0;
    export const handler = async ({ wait = 0 }) => {
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, wait));
      return { pid: process.pid, count };
    };`;

  it('are reused, so that modules keep their state', async () => {
    const { lambda } = bench({ Count: counting });
    const first = await call(lambda, 'Count');
    expect(first).toMatchObject({ count: 1 });
    expect(await call(lambda, 'Count')).toEqual({ ...(first as object), count: 2 });
  });

  it('start for concurrent invocations, one for each, up to the limit', async () => {
    const { lambda } = bench({ Count: counting }, {}, { concurrency: () => 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(lambda, 'Count', { wait: 100 })));
    const pids = answers.map((answer) => (answer as { pid: number }).pid);
    expect(new Set(pids).size).toBe(2);
  });

  it('notify a waiting invocation when its turn comes', async () => {
    const { lambda } = bench({ Count: counting }, {}, { concurrency: () => 1 });
    const places: string[] = [];
    const invoke = (name: string, wait: number) =>
      lambda.invoke('Count', JSON.stringify({ wait }), { onPlace: () => places.push(name) });
    const first = invoke('first', 100);
    const second = invoke('second', 0);
    await vi.waitFor(() => expect(places).toEqual(['first']));
    await Promise.all([first, second]);
    expect(places).toEqual(['first', 'second']);
  });

  it('never exceed the reserved concurrency of the template', async () => {
    const { lambda } = bench({ Count: counting }, { reservedConcurrency: 1 });
    const answers = await Promise.all([call(lambda, 'Count', { wait: 50 }), call(lambda, 'Count')]);
    expect(answers).toEqual([expect.objectContaining({ count: 1 }), expect.objectContaining({ count: 2 })]);
  });

  it('are given to the waiting jobs of tenants in turns, so that a short job does not wait for a long one', async () => {
    const turnOf = (payload: string) => {
      const { tenant, job } = JSON.parse(payload);
      return [tenant, job];
    };
    const { lambda } = bench({ Count: counting }, { reservedConcurrency: 1 }, { turnOf });
    const begun: string[] = [];
    const invoke = (tenant: string, job: string) =>
      lambda.invoke('Count', JSON.stringify({ tenant, job }), { onPlace: () => begun.push(job) });
    const talk = Array.from({ length: 5 }, () => invoke('a', 'talk'));
    const later = [invoke('a', 'clip'), invoke('b', 'film'), invoke('b', 'film')];
    await Promise.all([...talk, ...later]);
    // The talk has the place when the others come; then tenants take turns, and the jobs of each.
    expect(begun).toEqual(['talk', 'talk', 'film', 'clip', 'film', 'talk', 'talk', 'talk']);
  });

  it('are never all held by one tenant: the first invocation of another one starts at once', async () => {
    const turnOf = (payload: string) => [JSON.parse(payload).tenant];
    const { lambda } = bench({ Count: counting }, {}, { concurrency: () => 1, turnOf });
    const begun: string[] = [];
    const invoke = (tenant: string, wait: number) =>
      lambda.invoke('Count', JSON.stringify({ tenant, wait }), { onPlace: () => begun.push(tenant) });
    const slow = [invoke('a', 400), invoke('a', 0)];
    const others = [invoke('b', 200), invoke('c', 0), invoke('b', 0)];
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
    await Promise.all([...slow, ...others]);
    // After b, the spare place goes to c, which has none, and then to b again.
    expect(begun.slice(0, 4)).toEqual(['a', 'b', 'c', 'b']);
  });

  it('run background work with a lower priority, with all its programs', async () => {
    const source = `import { spawnSync } from 'node:child_process'; import { getPriority } from 'node:os';
      export const handler = async () => {
        const { stdout } = spawnSync('sh', ['-c', 'ps -o nice= -p $$'], { encoding: 'utf8' });
        return [getPriority(), Number(stdout)];
      };`;
    const { lambda } = bench({ Step: source }, {}, { isBackground: () => true });
    const { lambda: usual } = bench({ Step: source });
    const own = getPriority();
    const lower = Math.max(own, 3);
    await vi.waitFor(async () => expect(await call(lambda, 'Step')).toEqual([lower, lower]), 10_000);
    expect(await call(usual, 'Step')).toEqual([own, own]);
  });

  it('end when they are idle, and start again for the next invocation', async () => {
    const { lambda, directory } = bench({ Count: counting, Other: counting }, {}, { idleMs: 10 });
    const { pid } = (await call(lambda, 'Count')) as { pid: number };
    await Promise.all(Array.from({ length: 3 }, () => call(lambda, 'Other')));
    await isGone(pid);
    await vi.waitFor(() => expect(readdirSync(join(directory, 'run'))).toEqual([]), 10_000);
    expect(await call(lambda, 'Count')).toMatchObject({ count: 1 });
  });

  it('are recorded only while they run', async () => {
    const { lambda, directory } = bench({ Count: counting });
    const { pid } = (await call(lambda, 'Count')) as { pid: number };
    expect(readdirSync(join(directory, 'run'))).toEqual([`${pid}.json`]);
    await lambda.close();
    expect(readdirSync(join(directory, 'run'))).toEqual([]);
    await isGone(pid);
  });
});

describe('a function that fails', () => {
  it('reports what its handler throws', async () => {
    const { lambda } = bench({
      Throw: `class MediaUnreadable extends Error { name = 'MediaUnreadable' }
        export const handler = async () => { throw new MediaUnreadable('no streams'); };`,
    });
    expect(await call(lambda, 'Throw')).toMatchObject({
      errorType: 'MediaUnreadable',
      errorMessage: 'no streams',
      trace: expect.arrayContaining([expect.stringContaining('no streams')]),
    });
  });

  it('ends at its time-out with its child processes, and the next invocation gets a new process', async () => {
    const { lambda, directory } = bench(
      {
        Hang: `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
          export const handler = ({ file }) => {
            if (!file) return process.pid;
            const child = spawn('sleep', ['600']);
            writeFileSync(file, process.pid + ' ' + child.pid);
            return new Promise(() => {});
          };`,
      },
      { timeoutSeconds: 1 },
    );
    const file = join(directory, 'pids');
    const outcome = await lambda.invoke('Hang', JSON.stringify({ file }), { requestId: 'r1' });
    expect(outcome).toEqual({
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: 'RequestId: r1 Error: Task timed out after 1.00 seconds',
      },
    });
    const [worker = 0, child = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
    await isGone(worker);
    await isGone(child);
    expect(await call(lambda, 'Hang')).not.toBe(worker);
  });

  it('ends at its time-out even if it is in an endless loop', async () => {
    const { lambda } = bench(
      { Loop: 'export const handler = async () => { for (;;); };' },
      { timeoutSeconds: 1 },
    );
    expect(await call(lambda, 'Loop')).toMatchObject({ errorType: 'Sandbox.Timedout' });
  });

  it('is reported as a runtime error if it exits or crashes, and the next invocation gets a new process', async () => {
    const { lambda } = bench({
      Exit: `export const handler = async ({ how }) => {
        if (how === 'exit') process.exit(3);
        if (how === 'crash') { setImmediate(() => { throw new Error('late'); }); await new Promise(() => {}); }
        if (how === 'kill') process.kill(process.pid, 'SIGKILL');
        return 'fine';
      };`,
    });
    const failure = (message: string) => ({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining(`Runtime exited with error: ${message}`),
    });
    expect(await call(lambda, 'Exit', { how: 'exit' })).toEqual(failure('exit status 3'));
    expect(await call(lambda, 'Exit')).toBe('fine');
    expect(await call(lambda, 'Exit', { how: 'crash' })).toEqual(failure('exit status 1'));
    expect(await call(lambda, 'Exit', { how: 'kill' })).toEqual(failure('signal: SIGKILL'));
    expect(await call(lambda, 'Exit')).toBe('fine');
  });

  it('reports a module that cannot be loaded, and a missing handler', async () => {
    const { lambda } = bench({
      Broken: "throw new TypeError('at the start');",
      Empty: 'export const other = 1;',
    });
    expect(await call(lambda, 'Broken')).toMatchObject({
      errorType: 'TypeError',
      errorMessage: 'at the start',
    });
    expect(await call(lambda, 'Empty')).toMatchObject({ errorType: 'Runtime.HandlerNotFound' });
  });
});

describe('limits and logs', () => {
  it('refuses requests and results of more than 6 MB', async () => {
    const { lambda } = bench({ Size: 'export const handler = async ({ size }) => "a".repeat(size);' });
    const tooMuch = 6 * 1024 * 1024 + 200;
    expect(await call(lambda, 'Size', { size: 1, pad: 'a'.repeat(tooMuch) })).toMatchObject({
      errorType: 'RequestEntityTooLargeException',
    });
    expect(await call(lambda, 'Size', { size: tooMuch })).toMatchObject({
      errorType: 'Function.ResponseSizeTooLarge',
    });
    expect(await call(lambda, 'Size', { size: 6_000_000 })).toHaveLength(6_000_000);
  });

  it('writes the output of a function unchanged to its log', async () => {
    const { lambda, directory, output } = bench({
      Print: `export const handler = async () => { console.log('{"level":"INFO"}'); console.error('plain'); };`,
    });
    await call(lambda, 'Print');
    await lambda.close();
    const log = readFileSync(join(directory, 'logs', 'Print.log'), 'utf8');
    expect(log.split('\n').sort()).toEqual(['', 'plain', '{"level":"INFO"}']);
    expect(output()).toBe(log);
  });

  const hanging = `export const handler = () => { console.log('started'); return new Promise(() => {}); };`;
  const begun = (output: () => string) => vi.waitFor(() => expect(output()).toContain('started'), 10_000);

  it('ends an invocation when its signal is aborted', async () => {
    const { lambda, output } = bench({ Hang: hanging });
    const abort = new AbortController();
    const outcome = lambda.invoke('Hang', '{}', { signal: abort.signal });
    await begun(output);
    abort.abort();
    expect(await outcome).toMatchObject({ error: { errorType: 'Runtime.ExitError' } });
  });

  it('stops running invocations when it is closed, and starts no others', async () => {
    const { lambda, output } = bench({ Hang: hanging });
    const outcome = lambda.invoke('Hang', '{}');
    await begun(output);
    await lambda.close();
    expect(await outcome).toMatchObject({ error: { errorType: 'Runtime.ExitError' } });
    expect(await call(lambda, 'Hang')).toMatchObject({ errorType: 'Sandbox.Stopped' });
  });
});
