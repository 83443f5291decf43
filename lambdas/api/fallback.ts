/** The `$default` route: paths and methods that the contract does not have. */
import type { HttpEvent, HttpReply } from '../kernel/http.ts';
import { unrouted } from '../kernel/unrouted.ts';

export const handler = async (event: HttpEvent): Promise<HttpReply> => unrouted(event);
