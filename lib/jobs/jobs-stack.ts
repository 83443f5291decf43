/**
 * What runs for longer than a request: one state machine a file of `state-machines/`, and their steps; and what runs
 * by the clock.
 */
import { CfnOutput, Fn, Size, Stack, type StackProps } from 'aws-cdk-lib';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { engineVariables } from '../shared/engines.ts';
import { type FunctionImage, KinoraFunction } from '../shared/function.ts';
import type { Resources } from '../shared/permissions.ts';
import { type Definition, readDefinitions, stepNames } from './definitions.ts';
import { deadLetters, leavingLetters, listener } from './listener.ts';
import { listenerNames, listeners } from './listeners.ts';
import { machine } from './machine.ts';
import { executionsWildcard, machineId, machineVariable, starting, watching } from './machine-references.ts';
import { mediaImage } from './media-image.ts';
import { schedule } from './schedule.ts';
import { scheduleNames, schedules } from './schedules.ts';
import { roomForMedia, type StepSettings, settingsOf } from './steps.ts';

export interface JobsStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: Resources;
  /** Origin of the API. */
  readonly apiUrl: string;
}

export class JobsStack extends Stack {
  /** State machines by the name of their definition, e.g. `DeleteAsset`. */
  readonly machines: Readonly<Record<string, StateMachine>>;
  /** What runs by the clock, by name. */
  readonly scheduled: Readonly<Record<string, KinoraFunction>>;
  /** What hears of executions, by name: its rule, and the queue of what it was not told. */
  readonly listeners: Record<string, { readonly failed: Rule; readonly queue: Queue }> = {};

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    const definitions = readDefinitions({ partition: this.partition });
    refuseStrangers(props.environment, definitions);
    const functions = stepFunctions(this, definitions, props);
    this.machines = Object.fromEntries(
      definitions.map((definition) => [
        definition.name,
        machine(this, props.environment, definition, functions),
      ]),
    );
    for (const [name, { stateMachineArn }] of Object.entries(this.machines)) {
      new CfnOutput(this, `${name}MachineArn`, { value: stateMachineArn });
    }
    this.scheduled = Object.fromEntries(scheduleNames().map((name) => [name, this.#scheduled(name, props)]));
    for (const name of listenerNames()) {
      const settings = listeners[name]!;
      const queue = deadLetters(this, name);
      const run = jobFunction(this, name, settings, undefined, props, [leavingLetters(queue)]);
      this.listeners[name] = { queue, failed: listener(this, name, settings, run, queue).FailedRule };
    }
  }

  #scheduled(name: string, props: JobsStackProps): KinoraFunction {
    const settings = schedules[name]!;
    const run = jobFunction(this, name, settings, undefined, props);
    if (settings.everyMinutes !== null) schedule(this, name, settings, settings.everyMinutes, run);
    return run;
  }
}

/** @throws Error where `stepMemory` names what is no step */
function refuseStrangers({ name, stepMemory = {} }: Environment, definitions: readonly Definition[]): void {
  const names = [...stepNames(definitions), ...scheduleNames()];
  const strangers = Object.keys(stepMemory).filter((step) => !names.includes(step));
  if (strangers.length === 0) return;
  throw new Error(
    `environments/${name}.ts: stepMemory names ${strangers.join(', ')}; there are ${names.join(', ')}`,
  );
}

function stepFunctions(scope: Construct, definitions: readonly Definition[], props: JobsStackProps) {
  const names = stepNames(definitions);
  const image = names.some((name) => settingsOf(name).ffmpeg)
    ? mediaImage(scope, props.environment)
    : undefined;
  return Object.fromEntries(
    names.map((name) => [name, jobFunction(scope, name, settingsOf(name), image, props)]),
  );
}

function jobFunction(
  scope: Construct,
  name: string,
  { ffmpeg, room = roomForMedia, starts = [], watches = [], callsApi, ...settings }: StepSettings,
  image: FunctionImage | undefined,
  { environment, resources, apiUrl }: JobsStackProps,
  beyond: readonly PolicyStatement[] = [],
): KinoraFunction {
  const machines = [...starts, ...watches].map((machine) => [
    machineVariable(machine),
    Fn.ref(machineId(machine)),
  ]);
  const media = ffmpeg && image && { image, ephemeralStorage: Size.mebibytes(room) };
  return new KinoraFunction(scope, name, {
    environment,
    resources,
    ...settings,
    memory: environment.stepMemory?.[name] ?? settings.memory,
    ...media,
    variables: {
      ...(ffmpeg && engineVariables({ media: [] }, environment, resources)),
      ...(callsApi && { API_URL: apiUrl }),
      ...Object.fromEntries(machines),
    },
    statements: [...starts.map(starting), ...watches.map(watching), ...beyond],
    acknowledgments: watches.map(executionsWildcard),
  });
}
