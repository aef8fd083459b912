/** How long `expect.poll` tries: half as long as a test may take, for slow machines. */
export const PATIENT = { timeout: 30_000 };
