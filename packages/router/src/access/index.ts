export { canonicalAddress, isLoopback } from "./address.ts";
export {
  type AccessRequest,
  type AccessRules,
  type AccessSettings,
  type Admission,
  accessRules,
  clientName,
} from "./admission.ts";
export { type ClientAddress, type ClientEvidence, clientAddress } from "./client-address.ts";
export { createGate, type Gate, type GateOptions } from "./gate.ts";
export { checkHost, type Decision } from "./host-header.ts";
export { checkOrigin, type OriginEvidence, type OriginRules } from "./origin.ts";
export type { Peer } from "./peer.ts";
export type { AccountLookup, RemoteEnd, TcpSocket } from "./remote-ends.ts";
