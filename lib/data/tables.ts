/** The three tables: Core for durable data, Auth for API keys (encrypted with a separate key), and Ephemeral for items that expire. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { TableName } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';

interface TablesProps {
  readonly environment: Environment;
}

export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, Table>>;
  /** Encrypts only the table Auth, so that access to Core gives no access to API keys. */
  readonly authKey: Key;

  constructor(scope: Construct, id: string, { environment }: TablesProps) {
    super(scope, id);
    this.authKey = stableId(
      new Key(this, 'AuthKey', {
        description: `Kinora ${environment.name}: API keys`,
        enableKeyRotation: true,
        removalPolicy: environment.removal,
      }),
      'AuthKey',
    );
    this.byName = {
      // In Core, only the event log and deliveries to webhooks expire.
      Core: this.durable('Core', environment, { timeToLiveAttribute: 'expires_at' }),
      Auth: this.durable('Auth', environment, {
        encryption: TableEncryption.CUSTOMER_MANAGED,
        encryptionKey: this.authKey,
      }),
      Ephemeral: this.ephemeral(),
    };
  }

  private durable(name: TableName, environment: Environment, more: Partial<TableProps>): Table {
    const table = new Table(this, name, {
      ...keys,
      ...more,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: environment.pointInTimeRecovery },
      deletionProtection: environment.deletionProtection,
      removalPolicy: removalOf(environment),
    });
    if (!environment.pointInTimeRecovery) {
      Validations.of(table).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'Only production holds data that must survive a mistake; recovery costs twice the storage.',
      });
    }
    return stableId(table, name);
  }

  private ephemeral(): Table {
    const table = new Table(this, 'Ephemeral', {
      ...keys,
      timeToLiveAttribute: 'expires_at',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Idempotency records and rate counters live a day at most and are worthless after a restore.',
    });
    return stableId(table, 'Ephemeral');
  }
}

/**
 * Returns the removal policy of a table. CloudFormation cannot delete a protected table when it rolls back a creation, so the
 * rollback would fail (DynamoDB Developer Guide, "Working with tables", "Using deletion protection"). With RETAIN, the empty table
 * stays. It costs nothing.
 */
const removalOf = ({ deletionProtection, removal }: Environment): RemovalPolicy =>
  deletionProtection && removal !== RemovalPolicy.DESTROY ? RemovalPolicy.RETAIN : removal;

const keys = {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
};
