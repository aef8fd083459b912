/** How long `expect.poll` tries: nearly as long as a test may take, for slow machines. */
export const PATIENT = { timeout: 15_000 };
