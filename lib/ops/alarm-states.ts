/** The states of all alarms; alarms that are in ALARM come first. */
import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Alarm, AlarmStatusWidget, AlarmStatusWidgetSortBy, CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { pageWidth, type Rows } from './graphs.ts';

/** One widget, which can show 100 alarms (CloudWatch API Reference, Dashboard Body Structure). */
export function alarmStates(scope: Construct, stacks: readonly Stack[]): Rows {
  const alarms = stacks.flatMap(alarmArns);
  return [
    [
      new AlarmStatusWidget({
        title: 'Does an alarm ring?',
        alarms: alarms.map((arn, position) => Alarm.fromAlarmArn(scope, `Alarm${position}`, arn)),
        sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
        width: pageWidth,
        // High enough for the alarms in ALARM; the widget scrolls to the others.
        height: 4,
      }),
    ],
  ];
}

/** Uses the fixed names of alarms, because some are in another region. */
function alarmArns(stack: Stack): string[] {
  return stack.node
    .findAll()
    .filter((construct): construct is CfnAlarm => construct instanceof CfnAlarm)
    .map(({ alarmName }) =>
      stack.formatArn({
        service: 'cloudwatch',
        resource: 'alarm',
        resourceName: alarmName!,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    );
}
