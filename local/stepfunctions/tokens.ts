/** Task tokens. For clients, they are opaque. For the server, they are the address of the waiting scope. */
import type { Progress, Visit } from './progress.ts';
import type { Step } from './run.ts';

export interface TokenAddress {
  arn: string;
  scope: string;
}

/** Returns a new token. It contains a `secret`, so that it cannot be guessed. */
export function newToken({ frame }: Step, secret: string): string {
  const address = [frame.run.progress.begin.arn, frame.scope.path, secret];
  return Buffer.from(JSON.stringify(address)).toString('base64url');
}

/** Returns the address in a token. Undefined if this server did not issue the token. */
export function addressOf(token: string): TokenAddress | undefined {
  try {
    const [arn, scope, secret] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    const isOurs = typeof arn === 'string' && typeof scope === 'string' && typeof secret === 'string';
    return isOurs ? { arn, scope } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the visit that waits for an answer to this token. Undefined if no visit waits for it any more. */
export function visitAwaiting(progress: Progress, token: string, { scope }: TokenAddress): Visit | undefined {
  const visit = progress.scopes.get(scope)?.visit;
  const isAwaited = visit?.task?.token === token && !visit.task.answer && !visit.failure;
  return isAwaited && !progress.finish ? visit : undefined;
}
