/**
 * Makes good what a process left undone that died. It runs and is counted; what it looks for is planned: events that
 * nobody delivered, and jobs whose execution has ended without them.
 */
import { schedule } from '../../../platform/kernel/schedule.ts';

export const handler = schedule('Sweep', async () => ({ events: 0, jobs: 0 }));
