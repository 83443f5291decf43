/** The `$default` route, for paths and methods that the contract does not define. */
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { unrouted } from '../../../platform/kernel/unrouted.ts';

export const handler = async (event: HttpEvent): Promise<HttpReply> => unrouted(event);
