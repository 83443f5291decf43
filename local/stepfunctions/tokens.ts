/** Task tokens. For clients they are opaque. For the server they are the address of the waiting scope. */

import type { Progress, Visit } from './progress.ts';
import type { Step } from './run.ts';

export interface TokenAddress {
  arn: string;
  scope: string;
}

/** Makes a token. Because of the `secret`, no one can guess it. */
export function newToken({ frame }: Step, secret: string): string {
  const address = [frame.run.progress.begin.arn, frame.scope.path, secret];
  return Buffer.from(JSON.stringify(address)).toString('base64url');
}

/** The address in a token. Undefined if the token is not from this server. */
export function addressOf(token: string): TokenAddress | undefined {
  try {
    const [arn, scope, secret] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    const isOurs = typeof arn === 'string' && typeof scope === 'string' && typeof secret === 'string';
    return isOurs ? { arn, scope } : undefined;
  } catch {
    return undefined;
  }
}

/** The visit that still waits for this token's answer. */
export function visitAwaiting(progress: Progress, token: string, { scope }: TokenAddress): Visit | undefined {
  const visit = progress.scopes.get(scope)?.visit;
  const isAwaited = visit?.task?.token === token && !visit.task.answer && !visit.failure;
  return isAwaited && !progress.finish ? visit : undefined;
}
