export {
  createWebSocketTransport,
  type WebSocketLimits,
  type WebSocketOptions,
  type WebSocketTransport,
} from "./transport.ts";
