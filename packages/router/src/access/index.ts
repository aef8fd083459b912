export { isLoopback } from "./address.ts";
export {
  type AccessRequest,
  type AccessRules,
  type AccessSettings,
  type Admission,
  accessRules,
} from "./admission.ts";
export { type ClientAddress, type ClientEvidence, clientAddress } from "./client.ts";
export { createGate, type Gate, type GateOptions } from "./gate.ts";
export { checkHost, type Decision } from "./host.ts";
export { checkOrigin, type OriginEvidence, type OriginRules } from "./origin.ts";
