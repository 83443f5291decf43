/** Methods of a path. HEAD is GET without the body (RFC 9110 §9.3.2). */
import { Problem } from '../../shared/problems.ts';

/** The method of the operation that responds to a request: GET also responds to HEAD. */
export const answering = (method: string): string => (method === 'HEAD' ? 'GET' : method);

export function methodNotAllowed(path: string, method: string, methods: readonly string[]): Problem {
  const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  return new Problem('method_not_allowed', `${path} takes ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  });
}
