/** Cancels a tree of running states. A branch is canceled with its parent, or separately. */
import { setMaxListeners } from 'node:events';
import { Cancelled } from './errors.ts';

export interface Cancellation {
  readonly signal: AbortSignal;
  cancel(): void;
  /** Stops listening to the parent. Every cancellation must be released. */
  release(): void;
}

/** Returns a signal that aborts with its parent or by `cancel()`. */
export function cancellation(parent?: AbortSignal): Cancellation {
  const controller = new AbortController();
  // Many listeners are normal here: all iterations of a Map listen to one signal.
  setMaxListeners(0, controller.signal);
  const cancel = (): void => controller.abort();
  if (parent?.aborted) cancel();
  parent?.addEventListener('abort', cancel, { once: true });
  return { signal: controller.signal, cancel, release: () => parent?.removeEventListener('abort', cancel) };
}

/** Returns the result of the promise. Throws Cancelled if the signal aborts first. */
export function unlessCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelled = (): void => reject(new Cancelled());
    if (signal.aborted) cancelled();
    signal.addEventListener('abort', cancelled, { once: true });
    const release = (): void => signal.removeEventListener('abort', cancelled);
    promise.then(resolve, reject).finally(release);
  });
}
