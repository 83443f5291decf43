/** Methods and paths alone. In a bundle this module is its own result, without the schemas behind it. */
import { operations } from '../index.ts';

export interface Route {
  readonly method: string;
  readonly path: string;
}

export const routes: readonly Route[] = operations.map(({ spec: { method, path } }) => ({ method, path }));
