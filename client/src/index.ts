export type { Email, ErrorResponse, InboxResponse, WaitlistRequest, WaitlistResponse } from './wire.js';
