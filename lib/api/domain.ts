/** The custom domain of the API: its TLS certificate, the mapping to the API, and its DNS records. */
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { ApiDomain } from '../environments.ts';
import { aliasRecords } from '../shared/alias-records.ts';
import { stableId } from '../shared/logical-id.ts';

export function mapDomain(scope: Construct, domain: ApiDomain, apiId: string, stage: CfnStage): void {
  const { name, certificateArn, hostedZoneId } = domain;
  const made = stableId(
    new CfnDomainName(scope, 'DomainName', {
      domainName: name,
      domainNameConfigurations: [
        { certificateArn, endpointType: 'REGIONAL', ipAddressType: 'dualstack', securityPolicy: 'TLS_1_2' },
      ],
    }),
    'ApiDomain',
  );
  new CfnApiMapping(scope, 'ApiMapping', { apiId, domainName: made.ref, stage: stage.ref });
  const target = { name: made.attrRegionalDomainName, zoneId: made.attrRegionalHostedZoneId };
  if (hostedZoneId !== undefined) aliasRecords(scope, 'Api', { hostedZoneId, names: [name], target });
  // If your DNS is elsewhere, point the name to this target with a CNAME record.
  new CfnOutput(Stack.of(scope), 'ApiDomainTarget', { value: target.name });
}
