/**
 * The X-Ray trace of this run. Lambda sets it for each run (Lambda Developer Guide, "Defined runtime environment
 * variables"), and executions start under it. One id connects a request with all its steps.
 */
export const traceHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;

export const traceId = (): string | undefined => /(?:^|;)Root=([^;]+)/.exec(traceHeader() ?? '')?.[1];
