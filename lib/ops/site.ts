/** Is the site up? */
import type { Function as EdgeFunction } from 'aws-cdk-lib/aws-cloudfront';
import { type MetricSpec, metric } from '../shared/metrics.ts';
import { metricsRegion, ofDistribution, ofFunction } from '../site/metrics.ts';
import type { SiteStack } from '../site/site-stack.ts';
import { graph, heading, type Rows } from './graphs.ts';

export function siteRows({ distribution, functions }: SiteStack): Rows {
  const there = (spec: MetricSpec, label: string) => metric({ ...spec, label, region: metricsRegion });
  const failures = (edgeFunction: EdgeFunction) => {
    const { id } = edgeFunction.node;
    return [
      there(ofFunction('FunctionExecutionErrors', edgeFunction), `${id} throws`),
      there(ofFunction('FunctionValidationErrors', edgeFunction), `${id} returns nonsense`),
      there(ofFunction('FunctionThrottles', edgeFunction), `${id} is throttled`),
    ];
  };
  return [
    heading('Is the site up?', `CloudFront counts in ${metricsRegion}, wherever the site's stack is.`),
    [
      graph('How many requests come to the site?', 'requests', [
        there(ofDistribution('Requests', 'Sum', distribution), 'requests'),
      ]),
      graph('Which share of them fails?', '% of requests', [
        there(ofDistribution('4xxErrorRate', 'Average', distribution), '4xx'),
        there(ofDistribution('5xxErrorRate', 'Average', distribution), '5xx'),
      ]),
      graph('Do the edge functions fail?', 'runs', Object.values(functions).flatMap(failures)),
    ],
  ];
}
