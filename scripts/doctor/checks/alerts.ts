/** Whether anybody hears of the environment's alarms. AWS is not asked: its file says so. */
import { check } from '../check.ts';
import { doubtful, well } from '../finding.ts';

export const alerts = check({
  title: 'Alerts',
  read: async ({ target }) => target.environment.alerts,
  judge: (told, { name }) =>
    told?.email === undefined && told?.topicArn === undefined
      ? doubtful(
          'nobody hears of its alarms',
          `Put alerts: { email: '…' } into environments/${name}.ts, and follow the link in the first message.`,
        )
      : well(told.topicArn ?? told.email!),
});
