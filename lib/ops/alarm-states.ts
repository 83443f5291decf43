/** All alarms of all stacks, those that ring first. */
import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Alarm, AlarmStatusWidget, AlarmStatusWidgetSortBy, CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { pageWidth, type Rows } from './graphs.ts';

/** Alarms that one widget takes (CloudWatch API Reference, Dashboard Body Structure). */
const ALARMS_PER_WIDGET = 100;

/** One widget a stack, by name of what the stack is. */
export function alarmStates(scope: Construct, stacks: Readonly<Record<string, Stack>>): Rows {
  return Object.entries(stacks).flatMap(([name, stack]) =>
    chunks(alarmArns(stack)).map((arns, index) => [
      new AlarmStatusWidget({
        title: `Does an alarm ring? ${name}${index === 0 ? '' : `, part ${index + 1}`}`,
        alarms: arns.map((arn, position) =>
          Alarm.fromAlarmArn(scope, `${name}Alarm${index}-${position}`, arn),
        ),
        sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
        width: pageWidth,
        height: heightOf(arns.length),
      }),
    ]),
  );
}

/** Made of their fixed names: references to all would be more outputs than a template may have. */
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

function chunks(arns: readonly string[]): string[][] {
  const count = Math.ceil(arns.length / ALARMS_PER_WIDGET);
  return Array.from({ length: count }, (_, index) =>
    arns.slice(index * ALARMS_PER_WIDGET, (index + 1) * ALARMS_PER_WIDGET),
  );
}

/** Room for those that ring; the widget scrolls to the others. */
const heightOf = (alarms: number) => (alarms > 12 ? 4 : 2);
