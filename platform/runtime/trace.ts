/**
 * The trace of X-Ray that this run belongs to. Lambda sets it for each run (Lambda Developer Guide, "Defined runtime
 * environment variables"), and executions are started under it: one id from a request to the last step that it causes.
 */
export const traceHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;

export const traceId = (): string | undefined => /(?:^|;)Root=([^;]+)/.exec(traceHeader() ?? '')?.[1];
