/** Route 53 alias records for IPv4 and IPv6 that point to an AWS resource. */
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { pascalCase, stableId } from './names.ts';

interface AliasRecords {
  readonly hostedZoneId: string;
  readonly names: readonly string[];
  /** The domain name of the target, and the id of the hosted zone that AWS assigns to it. */
  readonly target: { readonly name: string; readonly zoneId: string };
}

/** The hosted zone of all CloudFront distributions (CloudFormation, AWS::Route53::RecordSet AliasTarget). */
export const cloudFrontZone = 'Z2FDTNDATAQYW2';

/** @param stem the start of the logical ids */
export function aliasRecords(scope: Construct, stem: string, records: AliasRecords): void {
  const { hostedZoneId, names, target } = records;
  for (const name of names) {
    for (const type of ['A', 'AAAA']) {
      const id = `${stem}Record${pascalCase(name.replaceAll('.', '-'))}${type}`;
      const aliasTarget = { dnsName: target.name, hostedZoneId: target.zoneId };
      stableId(new CfnRecordSet(scope, id, { hostedZoneId, name, type, aliasTarget }), id);
    }
  }
}
