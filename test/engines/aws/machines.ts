/** The calls of the platform to Step Functions. The platform does not change their errors. */
import * as sfnSdk from '@aws-sdk/client-sfn';
import { Executions } from '../../../platform/state-machines/executions.ts';
import { type Call, commonErrors, ownFates, type Service } from './calls.ts';
import { type Answer, driving } from './wire.ts';

const sfn: Service = {
  name: 'sfn',
  sdk: sfnSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...ownFates,
    // "The maximum number of running executions has been reached."
    ExecutionLimitExceeded: 'passing',
    InvalidArn: 'its own',
    InvalidExecutionInput: 'its own',
    InvalidName: 'its own',
    KmsAccessDeniedException: 'its own',
    KmsInvalidStateException: 'its own',
    KmsThrottlingException: 'passing',
    StateMachineDeleting: 'its own',
    StateMachineDoesNotExist: 'its own',
    ValidationException: 'its own',
  },
};

const machine = 'arn:aws:states:eu-central-1:123456789012:stateMachine:Ingest';
/** The trace header in the form that Lambda passes to a function: X-Ray Developer Guide, "Tracing header". */
const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
const driven = driving(sfnSdk.SFNClient, sfn);
const executing = (work: (executions: Executions) => Promise<unknown>) =>
  driven((client) => work(new Executions(client, machine, () => trace)));
const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:job`;
const ended = (status: string, more = {}): Answer => ({ answer: { executionArn, status, ...more } });
const executions = { service: sfn, file: 'platform/state-machines/executions.ts' };

export const machines: readonly Call[] = [
  {
    ...{ ...executions, operation: 'StartExecution', drive: executing((each) => each.start('job', {})) },
    answers: { StartExecution: { answer: { executionArn, startDate: 1 } } },
    gives: undefined,
    asks: { stateMachineArn: machine, name: 'job', input: '{}', traceHeader: trace },
    // An earlier call has started the execution, and its answer was lost.
    fates: { ExecutionAlreadyExists: { gives: undefined } },
  },
  {
    ...{ ...executions, operation: 'DescribeExecution', drive: executing((each) => each.endOf('job')) },
    answers: { DescribeExecution: ended('FAILED', { error: 'timed_out', cause: 'why' }) },
    ...{ gives: { Error: 'timed_out', Cause: 'why' }, asks: { executionArn } },
    fates: { ExecutionDoesNotExist: { gives: 'absent' } },
    partial: [
      ['an execution that is still running', ended('RUNNING'), { gives: 'running' }],
      ['an execution that timed out', ended('TIMED_OUT'), { gives: { Error: 'States.Timeout', Cause: '' } }],
      ['an execution that was stopped', ended('ABORTED'), { gives: { Error: 'internal_error' } }],
    ],
  },
];
