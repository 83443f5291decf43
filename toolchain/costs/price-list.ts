/** List prices of AWS in US East (N. Virginia) for resources other than engines, in USD, without tiers and free tiers. */
import { PRICES_AS_OF } from '../../engines/engine.ts';

interface ListPrice {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
}

export { PRICES_AS_OF };

const cloudwatch = 'https://aws.amazon.com/cloudwatch/pricing/';

export const awsPrices = {
  alarmMetric: { usd: 0.1, per: 'metric of an alarm and month', source: cloudwatch },
  metric: {
    usd: 0.3,
    per: 'metric of our own and month, by the hours in which it has a value',
    source: cloudwatch,
  },
  dashboard: { usd: 3, per: 'dashboard and month', source: cloudwatch },
  logs: { usd: 0.5, per: 'GB taken in', source: cloudwatch },
  key: { usd: 1, per: 'key and month', source: 'https://aws.amazon.com/kms/pricing/' },
  secret: {
    usd: 0.4,
    per: 'secret and month',
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  webAcl: { usd: 5, per: 'web ACL and month', source: 'https://aws.amazon.com/waf/pricing/' },
  webAclRule: { usd: 1, per: 'rule and month', source: 'https://aws.amazon.com/waf/pricing/' },
  trace: { usd: 0.000_005, per: 'trace', source: 'https://aws.amazon.com/xray/pricing/' },
  lambdaGbSecond: {
    usd: 0.000_013_333_4,
    per: 'GB-second on arm64',
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  lambdaRequest: { usd: 0.000_000_2, per: 'request', source: 'https://aws.amazon.com/lambda/pricing/' },
  stateTransition: {
    usd: 0.000_025,
    per: 'transition',
    source: 'https://aws.amazon.com/step-functions/pricing/',
  },
  readUnit: {
    usd: 0.000_000_125,
    per: 'read request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  writeUnit: {
    usd: 0.000_000_625,
    per: 'write request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  storageGb: { usd: 0.023, per: 'GB and month', source: 'https://aws.amazon.com/s3/pricing/' },
  imageGb: { usd: 0.1, per: 'GB and month', source: 'https://aws.amazon.com/ecr/pricing/' },
} as const satisfies Record<string, ListPrice>;
