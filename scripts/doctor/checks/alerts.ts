/** Whether anybody hears of the environment's alarms. AWS is not asked: its file says so. */
import { globalRegion, hasSites } from '../../../lib/environment-checks.ts';
import { check } from '../check.ts';
import { doubtful, well } from '../finding.ts';

export const alerts = check({
  title: 'Alerts',
  read: async ({ target }) => target.environment,
  judge: ({ alerts, site, region }, { name }) => {
    const file = `environments/${name}.ts`;
    if (alerts?.email === undefined && alerts?.topicArn === undefined)
      return doubtful(
        'nobody hears of its alarms',
        `Put alerts: { email: '…' } into ${file}, and follow the link in the first message.`,
      );
    const hasSite = site.elsewhere === undefined && hasSites(region);
    if (hasSite && alerts.email === undefined && alerts.siteTopicArn === undefined)
      return doubtful(
        'nobody hears of the alarms of its site',
        `Put siteTopicArn, a topic in ${globalRegion}, or email beside topicArn into ${file}.`,
      );
    return well(alerts.topicArn ?? alerts.email!);
  },
});
