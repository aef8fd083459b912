/// <reference types="node" preserve="true" />
export {
  createWebSocketTransport,
  type WebSocketLimits,
  type WebSocketOptions,
  type WebSocketTransport,
} from "./websocket-transport.ts";
