/** Keys that encrypt what tenants entrust to the service. */
import { engineOf } from '../engine.ts';

/** What a key is bound to: unwrapping it for anything else fails. */
export interface KeyContext {
  readonly tenant: string;
  readonly resource: string;
}

export interface DataKey {
  /** 256 bits, for one use. */
  readonly plain: Uint8Array;
  /** The same key, encrypted: only this is stored. */
  readonly wrapped: Uint8Array;
}

export interface DataKeys {
  generate(context: KeyContext): Promise<DataKey>;
  /** Throws where the context is another than it was made for. */
  unwrap(wrapped: Uint8Array, context: KeyContext): Promise<Uint8Array>;
}

export const dataKeysEngine = engineOf<DataKeys>();
