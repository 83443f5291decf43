/** Responses to valid requests. */
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { asJobId } from '../../../shared/ids.ts';
import type { Answer } from '../api.ts';
import type { Provoker, Request, Scene } from './scene.ts';

/** Requests by the status that they provoke. Every other success is the response to a valid request. */
export const successes: Readonly<Record<number, Provoker>> = {
  // The caller has the current version.
  304: async (scene) => {
    const request = await scene.sound();
    const { headers } = await scene.send(request);
    return scene.send(request, { 'if-none-match': headers.ETag! });
  },
  200: async (scene) => {
    const request = await scene.sound();
    return scene.spec.id === 'exportVideoClip' ? endedMeanwhile(scene, request) : scene.send(request);
  },
};

/** The job ends while the request waits for it. */
async function endedMeanwhile(scene: Scene, request: Request): Promise<Answer> {
  const { table, id } = scene.world.tenant;
  const jobs = new AllJobs(table, id);
  const before = await jobs.page(['jobs#type#export'], { skip: 0 }, 1);
  const { exportWait } = await import('../../../lambdas/exports/actions/request-exports.ts');
  exportWait.most_ms = 10_000;
  const answering = scene.send(request);
  for (;;) {
    const { ids } = await jobs.page(['jobs#type#export'], { skip: 0 }, 1);
    if (ids[0] === undefined || ids[0] === before.ids[0]) continue;
    await jobs.cancel(asJobId(ids[0]), new Date());
    break;
  }
  const answer = await answering;
  exportWait.most_ms = 0;
  return answer;
}

export const served: Provoker = async (scene) => scene.send(await scene.sound());
