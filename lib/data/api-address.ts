/**
 * The API itself, without anything that answers in it: its id is in its address, which the site states and the API states
 * too, while the API states the address of the site. Here it is there before both (docs/decisions/0055).
 */
import { Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/logical-id.ts';
import { protection } from './protection.ts';

export interface ApiAddress {
  /** The id by which API Gateway and its metrics name the API. */
  readonly id: string;
  /** Origin of the API, without a slash at its end. */
  readonly url: string;
  /** Of the secret that requests carry which come through CloudFront, where it stands before the API. */
  readonly edgeSecretArn?: string;
}

/** @param webAclArn the firewall, where the environment is protected */
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
      // CloudFront asks there, where it stands before the API, and functions answer nobody else.
      disableExecuteApiEndpoint: domain !== undefined && !isProtected,
    }),
    'Api',
  );
  const host = `${api.ref}.execute-api.${region}.${urlSuffix}`;
  const edge = isProtected ? protection(scope, { settings, host, domain, webAclArn }) : undefined;
  const url = `https://${domain?.name ?? edge?.name ?? host}`;
  return { id: api.ref, url, ...(edge && { edgeSecretArn: edge.secretArn }) };
}
