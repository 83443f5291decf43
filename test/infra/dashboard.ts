/** The dashboard as CloudWatch would read it. */
import type { Template } from './assembly.ts';

export interface Widget {
  readonly type: 'text' | 'metric' | 'alarm' | 'log';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  // biome-ignore lint/suspicious/noExplicitAny: properties have another shape in every type of widget
  readonly properties: any;
}

/** The body of the dashboard. Each reference is replaced by an ARN, which is longer than any name. */
export function bodyOf(template: Template): string {
  const body = template.Resources.Dashboard!.Properties.DashboardBody as {
    'Fn::Join': ['', (string | Record<string, unknown>)[]];
  };
  return body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : filled(part))).join('');
}

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'ap-southeast-1',
  'AWS::AccountId': '123456789012',
};

function filled(part: Record<string, unknown>): string {
  const name = part['Fn::ImportValue'] as string | undefined;
  if (name === undefined) return pseudo[part.Ref as string]!;
  return `arn:aws:states:ap-southeast-1:123456789012:stateMachine:${name.split(':')[1]}`;
}

export const widgetsOf = (template: Template): Widget[] => JSON.parse(bodyOf(template)).widgets;

/** All entries of the graphs: metrics are lists, and expressions are objects in lists of one. */
export const drawn = (widgets: readonly Widget[]): unknown[][] =>
  widgets.flatMap(({ properties }) => (properties.metrics ?? []) as unknown[][]);

export const searches = (widgets: readonly Widget[]): string[] =>
  drawn(widgets).flatMap((metric) =>
    [
      ...JSON.stringify(metric.at(-1))
        .replaceAll('\\"', '"')
        .matchAll(/SEARCH\('[^']*', '[^']*'\)/g),
    ].map(([text]) => text),
  );
