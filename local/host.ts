/** Every part of the local cloud needs these to start. The stack stops all of them. */
import type { Layout } from './layout.ts';
import type { ProcessRecords } from './processes.ts';
import type { Credentials } from './state.ts';

export type Host = {
  layout: Layout;
  records: ProcessRecords;
  credentials: Credentials;
  /** Undoes what was started, in the reverse order. */
  started: AsyncDisposableStack;
  report: (line: string) => void;
};
