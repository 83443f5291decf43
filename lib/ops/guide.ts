/** The first text on the dashboard: where to look, and what to do next. */
import { TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import { runbooks } from '../shared/alarms.ts';
import { pageWidth, type Rows } from './graphs.ts';

export function guide({ name, runbooksUrl }: Environment): Rows {
  const links = runbooks.map((anchor) => link(anchor, runbooksUrl)).join(' · ');
  const markdown = [
    `# Kinora ${name}`,
    'Look at the alarms first: what rings names its runbook in its description. Nothing rings and somebody complains: ' +
      'read down from the API; the first graph that changed when the complaints began is where to start. A deployment ' +
      'just before that is the likeliest cause: deploy the version before it. Every point covers 5 minutes.',
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
