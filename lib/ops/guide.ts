/** The first text on the dashboard: where to look, and what to do next. */
import { TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import { runbooks } from '../shared/alarms.ts';
import { pageWidth, type Rows } from './graphs.ts';

export function guide({ name, runbooksUrl }: Environment): Rows {
  const links = runbooks.map((anchor) => link(anchor, runbooksUrl)).join(' · ');
  const markdown = [
    `# Kinora ${name}`,
    'Look at the alarms first: the description of each names its runbook. If users complain and no alarm rings, ' +
      'read down from the API, and start at the first graph that changed when the complaints started. A deployment ' +
      'just before that is the likeliest cause: deploy the previous version. Every point covers 5 minutes.',
    `Runbooks: ${links}`,
  ].join('\n\n');
  return [[new TextWidget({ markdown, width: pageWidth, height: 4 })]];
}

/** A link to the runbook. Without an address, the path in the repository, as in the texts of alarms. */
function link(anchor: string, runbooksUrl: string | undefined): string {
  const title = anchor.replaceAll('-', ' ');
  return runbooksUrl === undefined
    ? `\`docs/runbooks.md#${anchor}\``
    : `[${title}](${runbooksUrl}#${anchor})`;
}
