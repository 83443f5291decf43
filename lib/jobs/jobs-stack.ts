/** What runs for longer than a request: one state machine a file of `state-machines/`, and their steps. */
import { CfnOutput, Fn, Size, Stack, type StackProps } from 'aws-cdk-lib';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { engineVariables } from '../shared/engines.ts';
import { KinoraFunction } from '../shared/function.ts';
import type { Resources } from '../shared/permissions.ts';
import { type Definition, readDefinitions, stepNames } from './definitions.ts';
import { ffmpegLayer, layerArchitecture } from './ffmpeg-layer.ts';
import { machine } from './machine.ts';
import { machineId, machineVariable, starting, stopping, stoppingWildcard } from './machine-references.ts';
import { roomForMedia, settingsOf } from './steps.ts';

export interface JobsStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: Resources;
}

export class JobsStack extends Stack {
  /** By name of the definition, e.g. `DeleteAsset`. */
  readonly machines: Readonly<Record<string, StateMachine>>;

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    const definitions = readDefinitions();
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
  }
}

function stepFunctions(scope: Construct, definitions: readonly Definition[], props: JobsStackProps) {
  const names = stepNames(definitions);
  const layer = names.some((name) => settingsOf(name).ffmpeg) ? ffmpegLayer(scope) : undefined;
  return Object.fromEntries(names.map((name) => [name, stepFunction(scope, name, layer, props)]));
}

function stepFunction(
  scope: Construct,
  name: string,
  layer: LayerVersion | undefined,
  { environment, resources }: JobsStackProps,
): KinoraFunction {
  const { ffmpeg, stops = [], starts = [], ...settings } = settingsOf(name);
  const machines = [...stops, ...starts].map((machine) => [
    machineVariable(machine),
    Fn.ref(machineId(machine)),
  ]);
  const media = ffmpeg &&
    layer && {
      layers: [layer],
      architecture: layerArchitecture,
      ephemeralStorage: Size.mebibytes(roomForMedia),
    };
  return new KinoraFunction(scope, name, {
    environment,
    resources,
    ...settings,
    ...media,
    errors: 'logged',
    variables: {
      ...(ffmpeg && engineVariables({ media: [] }, environment, resources)),
      ...Object.fromEntries(machines),
    },
    statements: [...stops.map(stopping), ...starts.map(starting)],
    acknowledgments: stops.map(stoppingWildcard),
  });
}
