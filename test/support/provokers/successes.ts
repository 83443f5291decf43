/** Answers to requests that are served. */
import type { Provoker } from './scene.ts';

/** Requests by the status that they provoke; every other success is what a sound request is answered. */
export const successes: Readonly<Record<number, Provoker>> = {
  // The caller has the version that holds.
  304: async (scene) => {
    const request = await scene.sound();
    const { headers } = await scene.send(request);
    return scene.send(request, { 'if-none-match': headers.ETag! });
  },
};

export const served: Provoker = async (scene) => scene.send(await scene.sound());
