/** The `$default` route: paths and methods that the contract does not have. */
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { unrouted } from '../../../platform/kernel/unrouted.ts';

export const handler = async (event: HttpEvent): Promise<HttpReply> => unrouted(event);
