/** A measured value; `ts` in microseconds. */
export type Sample = { readonly ts: number; readonly value: number }

/** More samples than this no window holds. */
export const windowSamplesMax = 1000

/**
 * The latest samples of a linkage, in order of time. The platform calls at least once: a sample
 * that comes again takes the place of the first, so that a call done twice answers the same.
 */
export class RollingWindow {
  #samples: Sample[] = []

  /** Takes a sample and keeps the latest `size` of them. */
  add(sample: Sample, size: number): readonly Sample[] {
    const before = this.#samples.findLastIndex(({ ts }) => ts <= sample.ts)
    const isAgain = this.#samples[before]?.ts === sample.ts
    this.#samples.splice(isAgain ? before : before + 1, isAgain ? 1 : 0, sample)
    const kept = Math.min(Math.max(Math.trunc(size), 1), windowSamplesMax)
    this.#samples = this.#samples.slice(-kept)
    return this.#samples
  }
}
