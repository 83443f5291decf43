/** Executions of a state machine. */
import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';

export class Executions {
  readonly #client: SFNClient;
  readonly #machine: string;

  constructor(client: SFNClient, machine: string) {
    this.#client = client;
    this.#machine = machine;
  }

  /** Starts the machine once for a name, however often it is called. */
  async start(name: string, input: object): Promise<void> {
    try {
      await this.#client.send(
        new StartExecutionCommand({ stateMachineArn: this.#machine, name, input: JSON.stringify(input) }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  }

  /** Ends an execution where it runs. */
  async stop(name: string, cause: string): Promise<void> {
    const executionArn = `${this.#machine.replace(':stateMachine:', ':execution:')}:${name}`;
    try {
      await this.#client.send(new StopExecutionCommand({ executionArn, error: 'canceled', cause }));
    } catch (error) {
      if (!(error instanceof ExecutionDoesNotExist)) throw error;
    }
  }
}
