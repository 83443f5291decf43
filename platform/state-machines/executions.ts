/** Executions of a state machine. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';

/** The end of an execution, as `$states.errorOutput` shows it to a Catch. */
export interface ExecutionEnd {
  readonly Error: string;
  readonly Cause: string;
}

export class Executions {
  readonly #client: SFNClient;
  readonly #machine: string;
  readonly #traceHeader: () => string | undefined;

  /** @param traceHeader returns the header of the current run. Executions continue its trace (X-Ray, "Tracing header") */
  constructor(client: SFNClient, machine: string, traceHeader: () => string | undefined = () => undefined) {
    this.#client = client;
    this.#machine = machine;
    this.#traceHeader = traceHeader;
  }

  /** Starts one execution for each name. A repeat has no effect. A queued job keeps the `traceHeader` of its request. */
  async start(name: string, input: object, traceHeader = this.#traceHeader()): Promise<void> {
    try {
      await this.#client.send(
        new StartExecutionCommand({
          stateMachineArn: this.#machine,
          name,
          input: JSON.stringify(input),
          traceHeader,
        }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  }

  /** The end of an execution; `running` while it runs, `absent` if it was never started. */
  async endOf(name: string): Promise<ExecutionEnd | 'running' | 'absent'> {
    try {
      const { status, error, cause } = await this.#client.send(
        new DescribeExecutionCommand({ executionArn: this.#arnOf(name) }),
      );
      if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return 'running';
      const isOutOfTime = status === 'TIMED_OUT';
      return { Error: error ?? (isOutOfTime ? 'States.Timeout' : 'internal_error'), Cause: cause ?? '' };
    } catch (error) {
      if (error instanceof ExecutionDoesNotExist) return 'absent';
      throw error;
    }
  }

  #arnOf(name: string): string {
    return `${this.#machine.replace(':stateMachine:', ':execution:')}:${name}`;
  }
}
