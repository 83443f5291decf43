/**
 * The API itself, without anything that answers in it: its id is in its address, which the site states and the API states
 * too, while the API states the address of the site. Here it is there before both (docs/decisions/0055).
 */
import { Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/logical-id.ts';

export interface ApiAddress {
  /** The id by which API Gateway and its metrics name the API. */
  readonly id: string;
  /** Origin of the API, without a slash at its end. */
  readonly url: string;
}

export function apiAddress(scope: Construct, { name, api: { domain } }: Environment): ApiAddress {
  const { region, urlSuffix } = Stack.of(scope);
  const api = stableId(
    new CfnApi(scope, 'Api', {
      name: `kinora-${name}`,
      description: 'Media processing: upload, transcribe, subtitle',
      protocolType: 'HTTP',
      disableExecuteApiEndpoint: domain !== undefined,
    }),
    'Api',
  );
  const own = `https://${api.ref}.execute-api.${region}.${urlSuffix}`;
  return { id: api.ref, url: domain === undefined ? own : `https://${domain.name}` };
}
