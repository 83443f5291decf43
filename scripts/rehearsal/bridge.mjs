/**
 * Stands in the local cloud for a function that is an image. It is an execution environment as Lambda has them: it
 * starts the image's entrypoint in the rehearsal's tree, on a read-only file system, as a user without rights, and
 * answers it as Lambda's Runtime API does (AWS Lambda developer guide, "Using the Lambda runtime API for custom
 * runtimes"). Plain JavaScript of one file, since it lies where a bundle would.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Written beside this file by the rehearsal: tree, entrypoint, working directory, command, storage in MiB, file to note answers in. */
const { tree, entrypoint, directory, command, storage, notes } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'image.json'), 'utf8'),
);

/** What this machine alone has: an image knows nothing of it. */
const ofThisMachine = /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|NODE_.*|_HANDLER|LAMBDA_TASK_ROOT)$/;
const PREFIX = '/2018-06-01/runtime';

/** Invocations that no one has asked for, and a `next` that waits for one. */
const queue = [];
let asked;
/** By request id. */
const pending = new Map();
let failed;

const server = createServer(async (request, response) => {
  const path = request.url.slice(PREFIX.length);
  if (request.method === 'GET' && path === '/invocation/next') {
    const next = queue.shift() ?? (await new Promise((resolve) => (asked = resolve)));
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': next.context.awsRequestId,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + next.context.getRemainingTimeInMillis()),
      'Lambda-Runtime-Invoked-Function-Arn': next.context.invokedFunctionArn,
      'Lambda-Runtime-Trace-Id': 'Root=1-00000000-000000000000000000000000',
    });
    response.end(JSON.stringify(next.event));
    return;
  }
  const body = JSON.parse(await textOf(request));
  response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"status":"OK"}');
  if (path === '/init/error') return fail(body);
  const [, id, kind] = /^\/invocation\/([^/]+)\/(response|error)$/.exec(path);
  appendFileSync(notes, `${command} ${kind}\n`);
  const { resolve, reject } = pending.get(id);
  pending.delete(id);
  if (kind === 'response') resolve(body);
  else reject(errorOf(body));
});

export function handler(event, context) {
  if (failed) throw failed;
  return new Promise((resolve, reject) => {
    pending.set(context.awsRequestId, { resolve, reject });
    if (asked) asked({ event, context });
    else queue.push({ event, context });
    asked = undefined;
  });
}

/** $0 is the tree. The mounts are the child's own and end with it; Lambda's user is a stranger to the image, too. */
const enter = `
  mount --bind "$0" "$0"
  mount -t proc proc "$0/proc"
  mount -t tmpfs -o mode=1777,size=${storage}m tmp "$0/tmp"
  mount -o remount,ro,bind "$0"
  cd "$0"
  exec chroot . env --chdir=${directory} setpriv --reuid=993 --regid=990 --clear-groups --no-new-privs "$@"`;

function startImage(port) {
  const own = Object.entries(process.env).filter(([name]) => !ofThisMachine.test(name));
  const child = spawn('unshare', ['--mount', 'sh', '-e', '-c', enter, tree, ...entrypoint, command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...Object.fromEntries(own),
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'rehearsal',
      LAMBDA_TASK_ROOT: '/var/task',
      _HANDLER: '',
    },
  });
  child.once('exit', (code, signal) => fail({ errorMessage: `The image ended: ${signal ?? code}` }));
}

/** What cannot start answers nobody. */
function fail(error) {
  failed ??= errorOf(error);
  for (const { reject } of pending.values()) reject(failed);
  pending.clear();
}

/** As Lambda hands it to a state machine: the name is what `Catch` compares. */
const errorOf = ({ errorType = 'Error', errorMessage = '' }) =>
  Object.assign(new Error(errorMessage), { name: errorType });

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
startImage(server.address().port);
