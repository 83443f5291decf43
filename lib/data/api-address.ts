/**
 * The API resource without routes. Its id is part of its address. The site needs the address of the API, and the API
 * needs the address of the site. So this resource comes before both (docs/decisions/0055).
 */
import { Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';
import { protection } from './protection.ts';

export interface ApiAddress {
  /** Id of the API in API Gateway and its metrics. */
  readonly id: string;
  /** Origin of the API, without a trailing slash. */
  readonly url: string;
  /** ARN of the secret that CloudFront adds to requests, if it stands before the API. */
  readonly edgeSecretArn?: string;
}

/** @param webAclArn the firewall, if the environment is protected */
export function apiAddress(scope: Construct, environment: Environment, webAclArn?: string): ApiAddress {
  const {
    name,
    api: { domain },
    protection: settings,
  } = environment;
  const isProtected = settings !== undefined && webAclArn !== undefined;
  const { region, urlSuffix } = Stack.of(scope);
  const api = stableId(
    new CfnApi(scope, 'Api', {
      name: `kinora-${name}`,
      description: 'Media processing: upload, transcribe, subtitle',
      protocolType: 'HTTP',
      // If CloudFront stands before the API, it sends requests to this name, and functions refuse all others.
      disableExecuteApiEndpoint: domain !== undefined && !isProtected,
    }),
    'Api',
  );
  const host = `${api.ref}.execute-api.${region}.${urlSuffix}`;
  const edge = isProtected ? protection(scope, { settings, host, domain, webAclArn }) : undefined;
  const url = `https://${domain?.name ?? edge?.name ?? host}`;
  return { id: api.ref, url, ...(edge && { edgeSecretArn: edge.secretArn }) };
}
