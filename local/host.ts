/** The options that every part of the local cloud needs to start. */
import type { Layout } from './layout.ts';
import type { ProcessRecords } from './processes.ts';
import type { Credentials } from './state.ts';

export type Host = {
  layout: Layout;
  records: ProcessRecords;
  credentials: Credentials;
  /** Stops the parts that have started, in reverse order. */
  started: AsyncDisposableStack;
  report: (line: string) => void;
};
