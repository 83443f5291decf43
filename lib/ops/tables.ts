/** Are the tables throttled, and how busy are they? */
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { metric } from '../shared/metrics.ts';
import { graph, heading, pageWidth, type Rows } from './graphs.ts';

/** @param tables by name of the construct */
export function tableRows(tables: Readonly<Record<string, Table>>): Rows {
  const each = (name: string, suffix: string) =>
    Object.entries(tables).map(([table, { tableName }]) =>
      metric({
        namespace: 'AWS/DynamoDB',
        name,
        statistic: 'Sum',
        dimensions: { TableName: tableName },
        label: `${table} ${suffix}`,
      }),
    );
  const half = pageWidth / 2;
  return [
    heading(
      'Are the tables well?',
      'They are on demand: only one hot partition or a sudden rush is throttled.',
    ),
    [
      graph(
        'Which tables are throttled?',
        'events',
        [...each('ReadThrottleEvents', 'reads'), ...each('WriteThrottleEvents', 'writes')],
        half,
      ),
      graph(
        'How much is read and written?',
        'capacity units',
        [...each('ConsumedReadCapacityUnits', 'reads'), ...each('ConsumedWriteCapacityUnits', 'writes')],
        half,
      ),
    ],
  ];
}
