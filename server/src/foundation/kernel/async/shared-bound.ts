import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'

export type SharedBoundOptions = {
  /** A plural, for the refusal: `live views`. */
  readonly what: string
  /** The most that are open at once in this process. */
  readonly max: () => number
  /** The most of one holder. */
  readonly holderMax?: () => number
}

/** The business of which something is open, and the subject who holds it. */
export type BoundHolder = { readonly businessId: string; readonly subject?: string }

/**
 * Counts what is open at once, such as streams: in all, of a business and of a holder. A business
 * has limits.openOfBusinessPercent of the whole, so that it leaves some to others, however many
 * holders it makes.
 */
export class SharedBound {
  readonly #options: SharedBoundOptions
  readonly #ofBusiness = new Map<string, number>()
  readonly #ofHolder = new Map<string, number>()
  #count = 0

  constructor(options: SharedBoundOptions) {
    this.#options = options
  }

  /** @throws Fault overloaded */
  requireRoom({ businessId, subject }: BoundHolder): void {
    const { max, holderMax } = this.#options
    const own = this.#ofHolder.get(`${businessId} ${subject}`) ?? 0
    if (subject !== undefined && holderMax !== undefined && own >= holderMax()) {
      throw this.#refusal(' of this credential')
    }
    if (this.#count >= max()) throw this.#refusal('')
    const businessMax = Math.ceil((max() * limits.openOfBusinessPercent) / 100)
    if ((this.#ofBusiness.get(businessId) ?? 0) >= businessMax) {
      throw this.#refusal(' of this business')
    }
  }

  /** Counts one more. @returns a function that ends its count; only its first call counts. */
  enter({ businessId, subject }: BoundHolder): () => void {
    const holder = `${businessId} ${subject}`
    const add = (by: 1 | -1) => {
      this.#count += by
      addTo(this.#ofBusiness, businessId, by)
      addTo(this.#ofHolder, holder, by)
    }
    add(1)
    let isIn = true
    return () => {
      if (isIn) add(-1)
      isIn = false
    }
  }

  #refusal(whose: string): Fault {
    const retry = { retryAfterS: limits.retryAfterS }
    return new Fault('overloaded', `Too many ${this.#options.what}${whose} are open.`, retry)
  }
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
