export type { ErrorCode, ErrorDetails, SessionRecord } from "@sm/core";
export type { CommandInput, CommandName, CommandOutput, Commands } from "../registry.ts";
export { type CallOptions, type Client, type ClientOptions, createClient } from "./client.ts";
export { CommandError, ConnectionError, type ConnectionErrorCode } from "./errors.ts";
export type { ClientEvent, EventStream, EventsOptions, StreamState } from "./event-listener.ts";
export type { WebSocketConstructor, WebSocketLike } from "./socket.ts";
