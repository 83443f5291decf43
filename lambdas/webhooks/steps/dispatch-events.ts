/** Starts the deliveries of the events that the steps before have published. */
import { step, type TenantInput } from '../../../platform/kernel/step.ts';
import { eventDispatch } from '../../../platform/runtime/events.ts';

export const handler = step<TenantInput, object>('DispatchEvents', async (_, { tenant, now }) => {
  await eventDispatch(tenant).run(now());
  return {};
});
