/** Integer microseconds since the epoch. */
export type NowUs = () => number

const usPerMs = 1000

/** The machine's clock. */
export const systemNowUs: NowUs = () => Date.now() * usPerMs
