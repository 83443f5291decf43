/** Background work: one state machine for each file of `state-machines/`, the functions of steps, schedules and listeners. */
import { CfnOutput, Fn, Size, Stack, type StackProps } from 'aws-cdk-lib';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { FunctionSettings, ScheduleSettings, StepSettings } from '../../platform/steps/define-step.ts';
import type { Environment } from '../environments.ts';
import { engineVariables } from '../shared/engines.ts';
import { type FunctionImage, KinoraFunction, type KinoraFunctionProps } from '../shared/function.ts';
import type { Resources } from '../shared/permissions.ts';
import { readDefinitions } from './definitions.ts';
import { executionsWildcard, machine, machineId, machineVariable, starting, watching } from './machine.ts';
import { mediaImage } from './media-image.ts';
import { listeners, mediaSteps, schedules, steps } from './steps.ts';
import { deadLetters, leavingLetters, listener, schedule } from './triggers.ts';

interface JobsStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: Resources;
  readonly apiUrl: string;
}

export class JobsStack extends Stack {
  /** The state machines by the name of their definition, such as `DeleteAsset`. */
  readonly machines: Readonly<Record<string, StateMachine>>;
  readonly scheduled: Readonly<Record<string, KinoraFunction>>;
  readonly listeners: Record<string, { readonly failed: Rule; readonly queue: Queue }> = {};

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    const definitions = readDefinitions();
    checkStepMemory(props.environment);
    const functions = stepFunctions(this, props);
    this.machines = Object.fromEntries(
      definitions.map((definition) => [
        definition.name,
        machine(this, props.environment, definition, functions),
      ]),
    );
    for (const [name, { stateMachineArn }] of Object.entries(this.machines)) {
      new CfnOutput(this, `${name}MachineArn`, { value: stateMachineArn });
    }
    this.scheduled = Object.fromEntries(
      Object.entries(schedules).map(([name, settings]) => [name, this.#scheduled(settings, props)]),
    );
    for (const [name, settings] of Object.entries(listeners)) {
      const queue = deadLetters(this, name);
      const run = jobFunction(this, settings, props, { statements: [leavingLetters(queue)] });
      this.listeners[name] = { queue, failed: listener(this, settings, run, queue).FailedRule };
    }
  }

  #scheduled(settings: ScheduleSettings, props: JobsStackProps): KinoraFunction {
    const run = jobFunction(this, settings, props);
    if (settings.everyMinutes !== null) schedule(this, settings, settings.everyMinutes, run);
    return run;
  }
}

function checkStepMemory({ name, stepMemory = {} }: Environment): void {
  const names = [...Object.keys(steps), ...Object.keys(schedules)];
  const unknown = Object.keys(stepMemory).filter((step) => !names.includes(step));
  if (unknown.length === 0) return;
  throw new Error(
    `environments/${name}.ts: stepMemory names ${unknown.join(', ')}. The steps are ${names.join(', ')}`,
  );
}

function stepFunctions(scope: Construct, props: JobsStackProps) {
  const image = mediaSteps.length > 0 ? mediaImage(scope, props.environment) : undefined;
  return Object.fromEntries(
    Object.entries(steps).map(([name, settings]) => [name, stepFunction(scope, settings, props, image)]),
  );
}

/** The minimum size of `/tmp` on Lambda, MiB. It is enough for most steps: they read media in ranges and write nothing there. */
const LEAST_ROOM = 512;

function stepFunction(
  scope: Construct,
  { ffmpeg, room = LEAST_ROOM, ...settings }: StepSettings,
  props: JobsStackProps,
  image: FunctionImage | undefined,
): KinoraFunction {
  if (!ffmpeg || !image) return jobFunction(scope, settings, props);
  return jobFunction(scope, settings, props, {
    image,
    ephemeralStorage: Size.mebibytes(room),
    variables: engineVariables({ media: [] }, props.environment, props.resources),
  });
}

function jobFunction(
  scope: Construct,
  { name, description, memory, timeout, permissions, starts = [], watches = [], callsApi }: FunctionSettings,
  { environment, resources, apiUrl }: JobsStackProps,
  { variables, statements = [], ...more }: Partial<KinoraFunctionProps> = {},
): KinoraFunction {
  const machines = [...starts, ...watches].map((machine) => [
    machineVariable(machine),
    Fn.ref(machineId(machine)),
  ]);
  return new KinoraFunction(scope, name, {
    environment,
    resources,
    ...{ description, timeout, permissions },
    memory: environment.stepMemory?.[name] ?? memory,
    variables: { ...variables, ...(callsApi && { API_URL: apiUrl }), ...Object.fromEntries(machines) },
    statements: [...starts.map(starting), ...watches.map(watching), ...statements],
    acknowledgments: watches.map(executionsWildcard),
    ...more,
  });
}
