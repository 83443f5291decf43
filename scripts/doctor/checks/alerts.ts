/** Checks whether alarms notify anyone, from the environment's file alone. */
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
        'its alarms notify no one',
        `Add alerts: { email: '…' } to ${file}, and confirm the subscription in the first e-mail.`,
      );
    const hasSite = site.elsewhere === undefined && hasSites(region);
    if (hasSite && alerts.email === undefined && alerts.siteTopicArn === undefined)
      return doubtful(
        'the alarms of its site notify no one',
        `Add siteTopicArn (a topic in ${globalRegion}) or email to ${file}.`,
      );
    return well(alerts.topicArn ?? alerts.email!);
  },
});
