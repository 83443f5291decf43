/**
 * The API resource without its routes. The site needs the address of the API, which contains the id of this resource. The API needs the
 * address of the site. So this resource is created before the site and the routes (docs/decisions/0055).
 */
import { Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';
import { protection } from './protection.ts';

export interface ApiAddress {
  readonly id: string;
  /** The origin of the API, without a trailing slash. */
  readonly url: string;
  /** The ARN of the secret that CloudFront adds to requests. Absent if CloudFront is not in front of the API. */
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
      // This address stays enabled if CloudFront, or callers, have no other address. Behind CloudFront, functions refuse direct requests.
      disableExecuteApiEndpoint: (isProtected ? settings.origin : domain) !== undefined,
    }),
    'Api',
  );
  const host = `${api.ref}.execute-api.${region}.${urlSuffix}`;
  const edge = isProtected ? protection(scope, { settings, host, domain, webAclArn }) : undefined;
  const url = `https://${domain?.name ?? edge?.name ?? host}`;
  return { id: api.ref, url, ...(edge && { edgeSecretArn: edge.secretArn }) };
}
