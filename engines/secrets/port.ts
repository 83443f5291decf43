/** The interface of engines that provide data keys. Data keys encrypt the secrets of tenants. `ENGINE_SECRETS` names the engine. */
import { engineOf } from '../engine.ts';

/** A data key is bound to one resource of one tenant. */
export interface KeyContext {
  readonly tenant: string;
  readonly resource: string;
}

export interface DataKey {
  /** 256 bits, for one use. */
  readonly plain: Uint8Array;
  /** The data key, encrypted. Only this form is stored. */
  readonly wrapped: Uint8Array;
}

export interface DataKeys {
  generate(context: KeyContext): Promise<DataKey>;
  /** Decrypts a data key. Throws if the context differs from the context of `generate`. */
  unwrap(wrapped: Uint8Array, context: KeyContext): Promise<Uint8Array>;
}

export const boundTo = ({ tenant, resource }: KeyContext): string => JSON.stringify([tenant, resource]);

export const dataKeysEngine = engineOf<DataKeys>();
