/**
 * How long a test waits for what must come. Machines are shared and may be ten times slower: only
 * what never comes is to meet this.
 */
export const waitMsMax = 120_000
