// The binary needs what the service needs, and tells them apart by its arguments.
import "./start.mjs";
