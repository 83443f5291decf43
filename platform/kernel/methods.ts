/** Which methods a path takes. HEAD is GET whose answer is sent on without its body (RFC 9110 §9.3.2). */
import { Problem } from '../../shared/problems.ts';

/** The method of the operation that answers. */
export const answering = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** @param methods of the path's operations */
export function methodNotAllowed(path: string, method: string, methods: readonly string[]): Problem {
  const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  return new Problem('method_not_allowed', `${path} takes ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  });
}
