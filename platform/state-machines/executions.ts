/** Executions of a state machine. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';

/** How an execution ended, as `$states.errorOutput` would tell a Catch. */
export interface ExecutionEnd {
  readonly Error: string;
  readonly Cause: string;
}

export class Executions {
  readonly #client: SFNClient;
  readonly #machine: string;
  readonly #traceHeader: () => string | undefined;

  /** @param traceHeader of what is running now, which the execution's steps go on with (X-Ray, "Tracing header") */
  constructor(client: SFNClient, machine: string, traceHeader: () => string | undefined = () => undefined) {
    this.#client = client;
    this.#machine = machine;
    this.#traceHeader = traceHeader;
  }

  /**
   * Starts the machine once for a name, however often it is called.
   * @param traceHeader of what asked for it, where that is not what is running now
   */
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

  /** How an execution ended; `running` while it goes on, `absent` where it was never started. */
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
