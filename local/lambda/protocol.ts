/** The messages between the local cloud and the process of a function. They use Node's channel between processes. */

/** An invocation. `payload` is JSON text, as in the Lambda API. */
export type Invocation = {
  requestId: string;
  payload: string;
  deadlineMs: number;
  functionName: string;
  functionArn: string;
  memoryMegabytes: number;
  clientContext?: unknown;
};

/** The shape of Lambda's error payload. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'init-failed'; error: FunctionError }
  | { type: 'result'; requestId: string; payload: string }
  | { type: 'failed'; requestId: string; error: FunctionError };
