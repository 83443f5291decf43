/** Does the main job work? Shows the results of the canary, if the environment has one. */
import type { Environment } from '../environments.ts';
import { counted } from '../shared/metrics.ts';
import { graph, heading, pageWidth, type Rows } from './graphs.ts';

/** The stages of a run that have a metric `Canary<Stage>`. */
const stages = ['Create', 'Upload', 'Processing', 'Subtitles', 'Delete'];

export function canaryRows(environment: Environment): Rows {
  if (!environment.canary) return [];
  const half = pageWidth / 2;
  return [
    heading(
      'Does the main job work?',
      `Every ${environment.canary.everyMinutes} minutes a few seconds of speech are uploaded, become subtitles and are deleted. ` +
        'Which stage failed, and why: the saved query.',
    ),
    [
      graph(
        'Do tries succeed?',
        'tries',
        [
          counted(environment, 'CanarySucceeded', 'Sum', 'succeeded'),
          counted(environment, 'CanaryFailed', 'Sum', 'failed'),
        ],
        half,
      ),
      graph(
        'How long do its stages take?',
        'ms',
        stages.map((stage) => counted(environment, `Canary${stage}`, 'Maximum', stage)),
        half,
      ),
    ],
  ];
}
