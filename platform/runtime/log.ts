/**
 * Structured logs: one JSON line for each event. A line with metrics uses CloudWatch's embedded metric format (AWS doc:
 * CloudWatch_Embedded_Metric_Format_Specification). Bodies, keys and texts are never logged.
 */
import { environment } from './environment.ts';

type Fields = Readonly<Record<string, unknown>>;

export function log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: Fields = {}): void {
  const trace_id = traceId();
  process.stdout.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...(trace_id && { trace_id }), ...fields })}\n`,
  );
}

export interface Metric {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds' | 'Bytes' | 'Percent' | 'None';
  readonly value: number;
}

/**
 * Writes one line that is both a log event and its metrics. CloudWatch bills each value of a dimension as a metric of
 * its own. Details of an operation or a step are therefore fields, which log queries find.
 */
export function logWithMetrics(message: string, metrics: readonly Metric[], fields: Fields = {}): void {
  if (metrics.length === 0) {
    log('info', message, fields);
    return;
  }
  const values = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  log('info', message, {
    ...fields,
    ...values,
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          // An account may hold several environments. lib/shared/metrics.ts has the same namespace.
          Namespace: `Kinora/${environment.name}`,
          Dimensions: [[]],
          Metrics: metrics.map(({ name, unit }) => ({ Name: name, Unit: unit })),
        },
      ],
    },
  });
}

/** The loggable part of an unexpected error. Messages of libraries may contain data. */
export function describeError(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, error_message: error.message, stack: error.stack };
}

/**
 * The X-Ray trace of this run. Lambda sets it for each run (Lambda Developer Guide, "Defined runtime environment
 * variables"), and executions start under it. One id connects a request with all its steps.
 */
export const traceHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;

export const traceId = (): string | undefined => /(?:^|;)Root=([^;]+)/.exec(traceHeader() ?? '')?.[1];
