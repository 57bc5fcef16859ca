/**
 * The assets of which links run in this process: a batch of the log and a job never run those of
 * one asset at once. Waiting work gets its turn in its order.
 */
export class AssetLocks {
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Takes an asset that nobody has. @returns false if somebody has it. */
  tryTake(asset: string): boolean {
    if (this.#waiting.has(asset)) return false
    this.#waiting.set(asset, [])
    return true
  }

  free(asset: string): void {
    const waiting = this.#waiting.get(asset)
    const next = waiting?.shift()
    if (next !== undefined) next()
    else this.#waiting.delete(asset)
  }

  /** Does work that has the asset alone. */
  async run<Result>(asset: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.tryTake(asset)) {
      await new Promise<void>((resolve) => this.#waiting.get(asset)?.push(resolve))
    }
    try {
      return await work()
    } finally {
      this.free(asset)
    }
  }
}
